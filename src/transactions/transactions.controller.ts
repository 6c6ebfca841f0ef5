import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  HttpStatus,
  Param,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { enumSchema } from '../common/openapi/schemas';
import { RequireScope } from '../access/require-scope.decorator';
import type { Response } from 'express';
import { Approvable } from '../approvals/approvable.decorator';
import { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import { ApiEnvelope, ApiEnvelopeList, ApiEnvelopePage, ApiFailures } from '../common/openapi/api-responses';
import type { ListPage } from '../common/pagination/list-page';
import { RateLimit } from '../rate-limits/rate-limit';
import { RateLimited } from '../rate-limits/rate-limited.decorator';
import { readBatch } from './accepting/batch-request';
import { TransactionListPipe, TransactionListQuery } from './dto/transaction-list.query';
import { TransactionBatchDto, TransactionRequestDto } from './dto/transaction-request.dto';
import {
  CanceledTransactionsResponse,
  TransactionAttemptResponse,
  TransactionBatchItemResponse,
} from './dto/transaction-results.response';
import { TransactionResponse } from './dto/transaction.response';
import { readWait } from './dto/wait.query';
import { TRANSACTION_STATUSES } from './transaction-status';
import { type TransactionBatch, type TransactionRequest, TransactionsApi } from './transactions.api';

const NO_RELAYER = { 404: 'Relayer with ID <relayer_id> not found' };
const NO_TRANSACTION = {
  404: 'Relayer with ID <relayer_id> not found, Transaction with ID <transaction_id> not found',
};
const NOT_SENDING = {
  403: 'Signing frozen, Relayer paused, Relayer disabled, Transaction not allowed by policy',
};
const IDEMPOTENCY = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description:
    '1 to 255 visible ASCII characters. A repeated request with the same key returns the first record.',
});

@ApiTags('Transactions')
@Controller('api/v1/relayers/:relayer_id/transactions')
@RateLimited()
export class RelayerTransactionsController {
  constructor(
    private readonly api: TransactionsApi,
    private readonly rateLimit: RateLimit,
  ) {}

  @Post()
  @RequireScope('transactions:write')
  @IDEMPOTENCY
  @ApiOperation({
    operationId: 'sendTransaction',
    summary: 'Send a transaction',
    description:
      'Accepted means stored with its nonce: it is mined once, or ends with a reason. 200 for a repeated request.',
  })
  @ApiBody({ type: TransactionRequestDto })
  @ApiEnvelope(TransactionResponse, HttpStatus.CREATED)
  @ApiEnvelope(TransactionResponse)
  @Approvable()
  @ApiFailures({ ...NO_RELAYER, ...NOT_SENDING, 409: 'Idempotency-Key already used' })
  async submit(
    @Param('relayer_id') relayerId: string,
    @Headers('idempotency-key') key: string | undefined,
    @Body() body: object,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TransactionResponse | PendingChangeResponse> {
    const result = await this.api.submit(relayerId, body as TransactionRequest, key);
    if (result instanceof PendingChangeResponse) return result;
    const { transaction, isReplay } = result;
    if (isReplay) response.status(HttpStatus.OK);
    return transaction;
  }

  @Post('batch')
  @RequireScope('transactions:write')
  @IDEMPOTENCY
  @ApiOperation({
    operationId: 'sendTransactionBatch',
    summary: 'Send several transactions',
    description:
      'Their nonces are in their order. Each item has its own result; with `atomic` all are accepted or none. Each item counts as one request against the rate limit.',
  })
  @ApiBody({ type: TransactionBatchDto })
  @ApiEnvelopeList(TransactionBatchItemResponse, HttpStatus.CREATED)
  @ApiFailures({ ...NO_RELAYER, ...NOT_SENDING })
  async submitBatch(
    @Param('relayer_id') relayerId: string,
    @Headers('idempotency-key') key: string | undefined,
    @Body() body: object,
  ): Promise<TransactionBatchItemResponse[]> {
    await this.rateLimit.charge(readBatch(body).transactions.length);
    return this.api.submitBatch(relayerId, body as TransactionBatch, key);
  }

  @Get()
  @RequireScope('transactions:read')
  @ApiOperation({
    operationId: 'listTransactions',
    summary: 'List transactions, in the order of acceptance',
    description:
      'With `metadata.order=42`, only transactions whose metadata has that text under that name. A page of more than 16 MiB is 400; by cursor it has fewer items than `per_page`, and `next_cursor` continues.',
  })
  @ApiEnvelopePage(TransactionResponse)
  @ApiFailures(NO_RELAYER)
  list(
    @Param('relayer_id') relayerId: string,
    @Query(TransactionListPipe) query: TransactionListQuery,
  ): Promise<ListPage<TransactionResponse>> {
    return this.api.list(relayerId, query);
  }

  @Delete('pending')
  @RequireScope('transactions:write')
  @ApiOperation({
    operationId: 'deletePendingTransactions',
    summary: 'Cancel all transactions that are not mined',
  })
  @ApiEnvelope(CanceledTransactionsResponse)
  @ApiFailures(NO_RELAYER)
  cancelPending(@Param('relayer_id') relayerId: string): Promise<CanceledTransactionsResponse> {
    return this.api.cancelPending(relayerId);
  }

  @Get('by-nonce/:nonce')
  @RequireScope('transactions:read')
  @ApiOperation({ operationId: 'getTransactionByNonce', summary: 'Show the transaction that has a nonce' })
  @ApiEnvelope(TransactionResponse)
  @ApiFailures({ 404: 'Relayer with ID <relayer_id> not found, Transaction with nonce <nonce> not found' })
  getByNonce(
    @Param('relayer_id') relayerId: string,
    @Param('nonce') nonce: string,
  ): Promise<TransactionResponse> {
    return this.api.getByNonce(relayerId, nonce);
  }

  @Get(':transaction_id')
  @RequireScope('transactions:read')
  @ApiOperation({
    operationId: 'getTransactionById',
    summary: 'Show a transaction',
    description: 'With `wait`, as soon as it has that status or is final, at the latest after `timeout`.',
  })
  @ApiQuery({
    name: 'wait',
    required: false,
    description: 'The status to wait for.',
    schema: enumSchema('TransactionStatus', TRANSACTION_STATUSES),
  })
  @ApiQuery({
    name: 'timeout',
    required: false,
    schema: { type: 'integer', minimum: 0, maximum: 9999 },
    description: 'In seconds.',
  })
  @ApiEnvelope(TransactionResponse)
  @ApiFailures(NO_TRANSACTION)
  async get(
    @Param('relayer_id') relayerId: string,
    @Param('transaction_id') id: string,
    @Query('wait') status: unknown,
    @Query('timeout') timeout: unknown,
  ): Promise<TransactionResponse> {
    const wait = readWait(status, timeout);
    return wait ? this.api.waitFor(relayerId, id, wait.status, wait.timeoutMs) : this.api.get(relayerId, id);
  }

  @Get(':transaction_id/attempts')
  @RequireScope('transactions:read')
  @ApiOperation({
    operationId: 'listTransactionAttempts',
    summary: 'List the signed attempts of a transaction, oldest first',
  })
  @ApiEnvelopeList(TransactionAttemptResponse)
  @ApiFailures(NO_TRANSACTION)
  listAttempts(
    @Param('relayer_id') relayerId: string,
    @Param('transaction_id') id: string,
  ): Promise<TransactionAttemptResponse[]> {
    return this.api.listAttempts(relayerId, id);
  }

  @Put(':transaction_id')
  @RequireScope('transactions:write')
  @ApiOperation({
    operationId: 'replaceTransaction',
    summary: 'Replace a transaction that is not mined',
    description: 'It keeps its id and nonce. What is mined decides which of its attempts is executed.',
  })
  @ApiBody({ type: TransactionRequestDto })
  @ApiEnvelope(TransactionResponse)
  @ApiFailures({ ...NO_TRANSACTION, ...NOT_SENDING })
  replace(
    @Param('relayer_id') relayerId: string,
    @Param('transaction_id') id: string,
    @Body() body: object,
  ): Promise<TransactionResponse> {
    return this.api.replace(relayerId, id, body as TransactionRequest);
  }

  @Delete(':transaction_id')
  @RequireScope('transactions:write')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'cancelTransaction',
    summary: 'Cancel a transaction that is not mined',
    description: 'A no-op takes its nonce. Its status stays until one of its attempts or the no-op is mined.',
  })
  @ApiEnvelope(TransactionResponse)
  @ApiFailures(NO_TRANSACTION)
  cancel(
    @Param('relayer_id') relayerId: string,
    @Param('transaction_id') id: string,
  ): Promise<TransactionResponse> {
    return this.api.cancel(relayerId, id);
  }
}
