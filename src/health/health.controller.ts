import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../access/public.decorator';
import { SkipEnvelope } from '../common/envelope/skip-envelope.decorator';
import { unavailable } from '../common/errors/domain-error';
import { Unlimited } from '../rate-limits/unlimited.decorator';
import { recordWarning } from '../common/http/request-context';
import { ApiEnvelope, ApiFailure } from '../common/openapi/api-responses';
import { ReadinessResponse } from './readiness.response';
import { ReadinessService } from './readiness.service';

/** The probes of Kubernetes. */
@ApiTags('Health')
@Controller()
@Public()
@Unlimited()
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  @Get('v1/health')
  @SkipEnvelope()
  @ApiOperation({
    operationId: 'getLiveness',
    summary: 'Liveness',
    description: 'The process responds; no dependency is checked.',
  })
  @ApiOkResponse({
    description: 'The process responds',
    content: { 'text/plain': { schema: { type: 'string', pattern: '^OK$', example: 'OK' } } },
  })
  live(@Res({ passthrough: true }) response: Response): string {
    response.type('text/plain');
    return 'OK';
  }

  @Get('api/v1/health')
  @SkipEnvelope()
  @ApiOperation({
    operationId: 'health',
    summary: 'Liveness under the prefix of the API',
    description: 'As /v1/health.',
  })
  @ApiOkResponse({
    description: 'The process responds',
    content: { 'text/plain': { schema: { type: 'string', pattern: '^OK$', example: 'OK' } } },
  })
  liveUnderApi(@Res({ passthrough: true }) response: Response): string {
    return this.live(response);
  }

  @Get('v1/ready')
  @SkipEnvelope()
  @ApiOperation({
    operationId: 'getReadiness',
    summary: 'Readiness',
    description: 'With the state of each component.',
  })
  @ApiOkResponse({
    type: ReadinessResponse,
    description: 'Every component is up; only Redis may be degraded',
  })
  @ApiServiceUnavailableResponse({
    type: ReadinessResponse,
    description: 'A component is down, or the service is shutting down',
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadinessResponse> {
    const report = await this.readiness.report();
    if (!isReady(report)) response.status(503);
    return report;
  }

  @Get('api/v1/ready')
  @ApiOperation({
    operationId: 'readiness',
    summary: 'Readiness in the envelope',
    description: 'As /v1/ready.',
  })
  @ApiEnvelope(ReadinessResponse)
  @ApiFailure(503, 'Service Unavailable')
  async readyInEnvelope(): Promise<ReadinessResponse> {
    const report = await this.readiness.report();
    if (isReady(report)) return report;
    const states = Object.entries(report.components).map(
      ([component, { status }]) => `${component} is ${status}`,
    );
    if (report.status === 'shutting_down') states.unshift('the service is shutting down');
    for (const state of states) recordWarning(state);
    throw unavailable(['not ready', ...states].join(', '));
  }
}

const isReady = ({ status }: ReadinessResponse): boolean => status === 'ok' || status === 'degraded';
