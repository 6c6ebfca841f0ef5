import { SERVICE_VERSION } from '../common/service-version';
import { ApiProperty } from '@nestjs/swagger';
import { growing } from '../common/openapi/schemas';
import { JSON_OBJECT } from '../common/openapi/envelope-schemas';
import type { HealthCheckResult } from '@nestjs/terminus';

/** The component `signing`. */
export type SigningState = 'active' | 'frozen';

/**
 * Whether the service can work, and the state of each component. Only the log has the reason for `down` and `degraded`.
 */
export class ReadinessResponse {
  @ApiProperty(growing(['ok', 'degraded', 'error', 'shutting_down']))
  status!: string;

  /** Of the service. */
  @ApiProperty({ type: String, example: '1.0.0' })
  version!: string;

  /** By name, each with its `status`: `up`, `down` or `degraded`; of `signing` `active` or `frozen`. */
  @ApiProperty({
    allOf: [JSON_OBJECT],
    example: { database: { status: 'up' }, signing: { status: 'active' } },
  })
  components!: Record<string, { status: string }>;
}

/** @param signing undefined if it is unknown because the database is down */
export function toReadinessResponse(
  result: HealthCheckResult,
  signing: SigningState | undefined,
): ReadinessResponse {
  const components = Object.entries(result.details).map(([name, { status }]) => [name, { status }] as const);
  return {
    status: result.status,
    version: SERVICE_VERSION,
    components: { ...Object.fromEntries(components), ...(signing && { signing: { status: signing } }) },
  };
}
