// The client for the examples. RELAYER_URL and RELAYER_API_KEY determine which service it calls.
// In your own project: import { RelayerClient } from 'relayer-management-service-client';
import { RelayerClient } from '../client/dist/esm/index.js';

const { RELAYER_URL: url = 'http://127.0.0.1:8080', RELAYER_API_KEY: apiKey } = process.env;

export const client = new RelayerClient({ url, apiKey });
