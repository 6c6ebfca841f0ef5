import { Body, Controller, Delete, Get, HttpStatus, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../access/require-scope.decorator';
import { ApiEnvelope, ApiEnvelopePage, ApiEnvelopeText, ApiFailures } from '../common/openapi/api-responses';
import type { ListPage } from '../common/pagination/list-page';
import { PageQuery } from '../common/pagination/page-query';
import { PageQueryPipe } from '../common/pagination/page-query.pipe';
import { CreateNotificationDto } from './dto/create-notification.dto';
import { NotificationResponse, toNotificationResponse } from './dto/notification.response';
import { UpdateNotificationDto } from './dto/update-notification.dto';
import type { NotificationEntity } from './notification.entity';
import { NotificationsService } from './notifications.service';

@ApiTags('Notifications')
@Controller('api/v1/notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @RequireScope('notifications:read')
  @ApiOperation({ summary: 'List webhook configurations' })
  @ApiEnvelopePage(NotificationResponse)
  @ApiFailures()
  async list(@Query(PageQueryPipe) query: PageQuery): Promise<ListPage<NotificationResponse>> {
    return (await this.notifications.list(query)).map((notification) => this.answer(notification));
  }

  @Post()
  @RequireScope('notifications:write')
  @ApiOperation({ summary: 'Make a webhook configuration' })
  @ApiEnvelope(NotificationResponse, HttpStatus.CREATED)
  @ApiFailures({
    409: 'Notification with this ID already exists',
    413: 'Payload Too Large',
  })
  async create(@Body() body: CreateNotificationDto): Promise<NotificationResponse> {
    return this.answer(await this.notifications.createNew(body));
  }

  @Get(':notification_id')
  @RequireScope('notifications:read')
  @ApiOperation({ summary: 'Show a webhook configuration' })
  @ApiEnvelope(NotificationResponse)
  @ApiFailures({ 404: 'Notification not found' })
  async get(@Param('notification_id') id: string): Promise<NotificationResponse> {
    return this.answer(await this.notifications.getOrThrow(id));
  }

  @Delete(':notification_id')
  @RequireScope('notifications:write')
  @ApiOperation({ summary: 'Delete a webhook configuration that no relayer uses' })
  @ApiEnvelopeText('Notification deleted successfully')
  @ApiFailures({ 404: 'Notification not found', 409: 'Notification is in use' })
  async delete(@Param('notification_id') id: string): Promise<string> {
    await this.notifications.delete(id);
    return 'Notification deleted successfully';
  }

  @Patch(':notification_id')
  @RequireScope('notifications:write')
  @ApiOperation({ summary: 'Change a webhook configuration' })
  @ApiEnvelope(NotificationResponse)
  @ApiFailures({ 404: 'Notification not found', 413: 'Payload Too Large' })
  async update(
    @Param('notification_id') id: string,
    @Body() body: UpdateNotificationDto,
  ): Promise<NotificationResponse> {
    return this.answer(await this.notifications.update(id, body));
  }

  private answer(notification: NotificationEntity): NotificationResponse {
    return toNotificationResponse(notification, this.notifications.urlOf(notification));
  }
}
