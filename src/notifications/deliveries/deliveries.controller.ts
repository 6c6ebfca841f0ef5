import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../access/require-scope.decorator';
import { ApiEnvelope, ApiEnvelopeCursorPage, ApiFailures } from '../../common/openapi/api-responses';
import type { CursorPage } from '../../common/pagination/cursor-page';
import { DeliveryHistory } from './delivery-history';
import { DeliveryQueryPipe } from './delivery-query.pipe';
import {
  DeliveryResponse,
  ReplayedResponse,
  toDeliveryResponse,
  toDeliveryDetailResponse,
} from './dto/delivery.response';
import { DeliveryQuery } from './dto/delivery-query.dto';
import { ReplayDeliveriesDto } from './dto/replay-deliveries.dto';
import { RequestedDeliveries } from './requested-deliveries';

const NO_NOTIFICATION = { 404: 'Notification not found' };
const NO_DELIVERY = { 404: 'Notification not found, Delivery not found' };

@ApiTags('Notifications')
@Controller('api/v1/notifications/:notification_id')
export class DeliveriesController {
  constructor(
    private readonly history: DeliveryHistory,
    private readonly requested: RequestedDeliveries,
  ) {}

  @Get('deliveries')
  @RequireScope('notifications:read')
  @ApiOperation({
    operationId: 'listDeliveries',
    summary: 'List deliveries to a webhook, newest first',
    description:
      'A page with more than 16 MiB has fewer items than `per_page`, and `next_cursor` continues. The same applies to an API key that is limited to some relayers, if it reaches only a few of many deliveries.',
  })
  @ApiEnvelopeCursorPage(DeliveryResponse)
  @ApiFailures(NO_NOTIFICATION)
  async list(
    @Param('notification_id') id: string,
    @Query(DeliveryQueryPipe) query: DeliveryQuery,
  ): Promise<CursorPage<DeliveryResponse>> {
    return (await this.history.list(id, query)).map(toDeliveryResponse);
  }

  @Get('deliveries/:delivery_id')
  @RequireScope('notifications:read')
  @ApiOperation({ operationId: 'getDelivery', summary: 'Show a delivery and its attempts' })
  @ApiEnvelope(DeliveryResponse)
  @ApiFailures(NO_DELIVERY)
  async get(
    @Param('notification_id') id: string,
    @Param('delivery_id') deliveryId: string,
  ): Promise<DeliveryResponse> {
    const delivery = await this.history.getOrThrow(id, deliveryId);
    return toDeliveryDetailResponse(delivery, await this.history.attemptsOf(delivery));
  }

  @Post('deliveries/replay')
  @RequireScope('notifications:write')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'replayDeadDeliveries',
    summary: 'Replay dead deliveries',
    description: 'All dead deliveries created since a time, oldest first, at most 10 000.',
  })
  @ApiEnvelope(ReplayedResponse)
  @ApiFailures(NO_NOTIFICATION)
  replayDead(
    @Param('notification_id') id: string,
    @Body() { since }: ReplayDeliveriesDto,
  ): Promise<ReplayedResponse> {
    return this.requested.replayDead(id, new Date(since));
  }

  @Post('deliveries/:delivery_id/replay')
  @RequireScope('notifications:write')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    operationId: 'replayDelivery',
    summary: 'Replay a delivery',
    description: 'Makes the delivery due now, whatever its state. It keeps its id.',
  })
  @ApiEnvelope(DeliveryResponse)
  @ApiFailures(NO_DELIVERY)
  async replay(
    @Param('notification_id') id: string,
    @Param('delivery_id') deliveryId: string,
  ): Promise<DeliveryResponse> {
    return toDeliveryResponse(await this.requested.replay(id, deliveryId));
  }

  @Post('test')
  @RequireScope('notifications:write')
  @ApiOperation({
    operationId: 'testNotification',
    summary: 'Deliver a test event',
    description: 'Allowed even while the webhook is switched off.',
  })
  @ApiEnvelope(DeliveryResponse, HttpStatus.CREATED)
  @ApiFailures(NO_NOTIFICATION)
  async test(@Param('notification_id') id: string): Promise<DeliveryResponse> {
    return toDeliveryResponse(await this.requested.test(id));
  }
}
