import type { RawTypedData } from '../../../src/chains/evm/typed-data/typed-data';

/** What it is, and how the refusal ends, or nothing where it is signed. */
export interface Hostile {
  title: string;
  data: RawTypedData;
  refusal?: string;
}

export function hostileTypedData(): Hostile[];
