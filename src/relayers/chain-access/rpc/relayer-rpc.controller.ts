import { Body, Controller, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../access/require-scope.decorator';
import { SkipEnvelope } from '../../../common/envelope/skip-envelope.decorator';
import { RawBody } from '../../../common/http/raw-body';
import { ApiFailures } from '../../../common/openapi/api-responses';
import { RateLimited } from '../../../rate-limits/rate-limited.decorator';
import { RelayerRpcService } from './relayer-rpc.service';
import { RPC_REQUEST_SCHEMA, RPC_RESPONSE_SCHEMA } from './rpc.openapi';

@ApiTags('Relayers')
@Controller('api/v1/relayers/:relayer_id/rpc')
@RateLimited()
export class RelayerRpcController {
  constructor(private readonly rpc: RelayerRpcService) {}

  @Post()
  @RequireScope('rpc')
  @HttpCode(200)
  @Header('Content-Type', 'application/json')
  @SkipEnvelope()
  @ApiOperation({
    operationId: 'rpc',
    summary: "Call the nodes of a relayer's network",
    description:
      'JSON-RPC 2.0, a call or a batch of up to 100; the response has no envelope. ' +
      "The methods in the network's rpc_methods are passed on, by default those that only read. " +
      'Results and errors of nodes are passed on in the bytes in which they were received; ' +
      '-33000 says that no endpoint responded in time, -33001 that all of them limit requests, or that the service holds too ' +
      'many responses of nodes, -33002 that none could be used for another reason, ' +
      '-32004 that the method is not in rpc_methods, ' +
      '-32005 in a batch says that its responses together exceed the limit (RPC_MAX_RESPONSE_BYTES, 8 MiB).',
  })
  @ApiBody({ schema: RPC_REQUEST_SCHEMA })
  @ApiOkResponse({ description: "The node's response", schema: RPC_RESPONSE_SCHEMA })
  @ApiFailures({
    403: 'Relayer paused, Relayer disabled',
    404: 'Relayer with ID <relayer_id> not found',
  })
  call(@Param('relayer_id') id: string, @Body() body: unknown): Promise<RawBody> {
    return this.rpc.respond(id, body);
  }
}
