import { Body, Controller, Delete, Get, HttpStatus, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../access/require-scope.decorator';
import { ApiEnvelope, ApiEnvelopePage, ApiEnvelopeText, ApiFailures } from '../common/openapi/api-responses';
import type { ListPage } from '../common/pagination/list-page';
import { PageQuery } from '../common/pagination/page-query';
import { PageQueryPipe } from '../common/pagination/page-query.pipe';
import { CreateNotificationDto } from './dto/create-notification.dto';
import { NotificationResponse } from './dto/notification.response';
import { UpdateNotificationDto } from './dto/update-notification.dto';
import { NotificationsApi } from './notifications.api';

@ApiTags('Notifications')
@Controller('api/v1/notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsApi) {}

  @Get()
  @RequireScope('notifications:read')
  @ApiOperation({ operationId: 'listNotifications', summary: 'List webhook configurations' })
  @ApiEnvelopePage(NotificationResponse)
  @ApiFailures()
  list(@Query(PageQueryPipe) query: PageQuery): Promise<ListPage<NotificationResponse>> {
    return this.notifications.list(query);
  }

  @Post()
  @RequireScope('notifications:write')
  @ApiOperation({ operationId: 'createNotification', summary: 'Create a webhook configuration' })
  @ApiEnvelope(NotificationResponse, HttpStatus.CREATED)
  @ApiFailures({
    409: 'Notification with this ID already exists, Too many notifications name events of all relayers',
  })
  create(@Body() body: CreateNotificationDto): Promise<NotificationResponse> {
    return this.notifications.create(body);
  }

  @Get(':notification_id')
  @RequireScope('notifications:read')
  @ApiOperation({ operationId: 'getNotification', summary: 'Show a webhook configuration' })
  @ApiEnvelope(NotificationResponse)
  @ApiFailures({ 404: 'Notification not found' })
  get(@Param('notification_id') id: string): Promise<NotificationResponse> {
    return this.notifications.get(id);
  }

  @Delete(':notification_id')
  @RequireScope('notifications:write')
  @ApiOperation({
    operationId: 'deleteNotification',
    summary: 'Delete a webhook configuration that no relayer uses',
  })
  @ApiEnvelopeText('Notification deleted successfully')
  @ApiFailures({ 404: 'Notification not found', 409: 'Notification is in use' })
  async delete(@Param('notification_id') id: string): Promise<string> {
    await this.notifications.delete(id);
    return 'Notification deleted successfully';
  }

  @Patch(':notification_id')
  @RequireScope('notifications:write')
  @ApiOperation({ operationId: 'updateNotification', summary: 'Change a webhook configuration' })
  @ApiEnvelope(NotificationResponse)
  @ApiFailures({ 404: 'Notification not found', 409: 'Too many notifications name events of all relayers' })
  update(
    @Param('notification_id') id: string,
    @Body() body: UpdateNotificationDto,
  ): Promise<NotificationResponse> {
    return this.notifications.update(id, body);
  }
}
