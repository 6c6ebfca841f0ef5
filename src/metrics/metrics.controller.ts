import { Controller, Get, Headers, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../access/public.decorator';
import { SkipEnvelope } from '../common/envelope/skip-envelope.decorator';
import { ApiFailure } from '../common/openapi/api-responses';
import { DomainError } from '../common/errors/domain-error';
import { Exposition } from './exposition';
import { prefersExposition } from './prefers-exposition';

const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Metrics for Prometheus and for people. */
@ApiTags('Metrics')
@Controller()
@Public()
@SkipEnvelope()
export class MetricsController {
  constructor(private readonly exposition: Exposition) {}

  @Get('metrics')
  @ApiOperation({
    operationId: 'listMetrics',
    summary: 'Names of all metrics, or their exposition',
    description: 'A JSON array, except to a caller whose Accept header prefers text/plain or OpenMetrics.',
  })
  @ApiOkResponse({
    description: 'The names, or the exposition',
    content: {
      'application/json': {
        schema: { type: 'array', items: { type: 'string' }, example: ['http_requests_total'] },
      },
      'text/plain': { schema: { type: 'string' } },
    },
  })
  @ApiFailure(404, 'Not Found')
  @ApiFailure(429, 'Too Many Requests')
  async list(
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | string[]> {
    response.setHeader('Vary', 'Accept');
    if (!prefersExposition(accept)) return this.exposition.names();
    response.setHeader('Content-Type', EXPOSITION_TYPE);
    return this.exposition.all();
  }

  @Get('metrics/:name')
  @ApiOperation({
    operationId: 'metricDetail',
    summary: 'Exposition of one metric',
    description: 'The text format of Prometheus.',
  })
  @ApiOkResponse({ description: 'The exposition', content: { 'text/plain': { schema: { type: 'string' } } } })
  @ApiFailure(400, 'Bad Request')
  @ApiFailure(404, 'Metric not found')
  @ApiFailure(429, 'Too Many Requests')
  async one(@Param('name') name: string, @Res({ passthrough: true }) response: Response): Promise<string> {
    if (!this.exposition.names().includes(name))
      throw new DomainError('metric_not_found', 'Metric not found');
    response.setHeader('Content-Type', EXPOSITION_TYPE);
    return this.exposition.one(name);
  }

  @Get('debug/metrics/scrape')
  @ApiOperation({
    operationId: 'scrapeMetrics',
    summary: 'Exposition of all metrics',
    description: 'The text format of Prometheus.',
  })
  @ApiOkResponse({ description: 'The exposition', content: { 'text/plain': { schema: { type: 'string' } } } })
  @ApiFailure(404, 'Not Found')
  @ApiFailure(429, 'Too Many Requests')
  scrape(@Res({ passthrough: true }) response: Response): Promise<string> {
    response.setHeader('Content-Type', EXPOSITION_TYPE);
    return this.exposition.all();
  }
}
