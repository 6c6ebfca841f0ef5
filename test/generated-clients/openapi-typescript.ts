/** Types that openapi-typescript generated from the OpenAPI document; see check.sh. Nothing of it runs. */
import type { components, operations } from './schema';

type Schemas = components['schemas'];
type List = operations['listTransactions'];
type Page = List['responses']['200']['content']['application/json'];
type Filters = NonNullable<List['parameters']['query']>;

// Members with a default may be left out.
export const message: Schemas['SignMessageDto'] = { message: 'Hello' };
export const notification: Schemas['CreateNotificationDto'] = { url: 'https://hooks.example.com' };
export const endpoint: Schemas['RpcUrlDto'] = { url: 'https://rpc.example.com' };
export const batch: Schemas['TransactionBatchDto'] = { transactions: [{ to: null, value: '1' }] };

export const filters = { status: 'confirmed', 'metadata.order': '42' } as Filters;

export const nextOf = ({ pagination }: Page): string | null | undefined =>
  'next_cursor' in pagination ? pagination.next_cursor : undefined;
export const totalOf = ({ pagination }: Page): number | undefined =>
  'next_cursor' in pagination ? undefined : pagination.total_items;
