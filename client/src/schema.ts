// Generated from docs/openapi.json by `npm run client:types`; do not edit.

export interface paths {
    readonly "/api/v1/relayers/{relayer_id}/sign-typed-data": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sign EIP-712 typed data
         * @description Signs keccak256(0x19 ‖ 0x01 ‖ domain_separator ‖ hash_struct_message); deterministic (RFC 6979) unless a key service signs. The two hashes are given, or computed from the full typed data; in that case the response has the digest too. Native transactions of ZKsync and Cosmos chains (domains such as `zkSync` and `Cosmos Web3`) are refused. Requires the scope `sign:typed-data`.
         */
        readonly post: operations["signTypedData"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/sign-typed-data/batch": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sign a batch of EIP-712 typed data
         * @description Results are in the order of the items. An item that fails leaves the others alone. Each item counts as one request against the rate limit. The relayer is read again for each item: a pause, a change of policies, a deletion and a freeze apply to the items that are not signed yet. The body has at most 1 MiB, 100 000 values, 50 000 fields, 10 000 different sequences of field names, and 1500 different names after the same fields; a larger batch is refused as a whole: split it. Requires the scope `sign:typed-data`.
         */
        readonly post: operations["signTypedDataBatch"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/sign": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sign a message (EIP-191)
         * @description Signs keccak256("\x19Ethereum Signed Message:\n" ‖ length ‖ message), as personal_sign does; deterministic (RFC 6979) unless a key service signs. Requires the scope `sign:messages`.
         */
        readonly post: operations["sign"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/sign-transaction": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Sign an EVM transaction of type 0, 1, 2 or 4 without sending it
         * @description Its chain id must be that of the relayer’s network, and the relayer’s policies must allow it. Requires the scope `sign:transactions`.
         */
        readonly post: operations["signTransaction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Names of all metrics, or their exposition
         * @description A JSON array, except to a caller whose Accept header prefers text/plain or OpenMetrics.
         */
        readonly get: operations["listMetrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Exposition of one metric
         * @description The text format of Prometheus.
         */
        readonly get: operations["metricDetail"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/debug/metrics/scrape": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Exposition of all metrics
         * @description The text format of Prometheus.
         */
        readonly get: operations["scrapeMetrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/signers": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List signers
         * @description Requires the scope `signers:read`.
         */
        readonly get: operations["listSigners"];
        readonly put?: never;
        /**
         * Create a signer
         * @description It is stored only after it has signed a challenge that recovers to its address, so none is created while signing is frozen. Requires the scope `signers:write`.
         */
        readonly post: operations["createSigner"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/signers/{signer_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show a signer, with its address and public key
         * @description Requires the scope `signers:read`.
         */
        readonly get: operations["getSigner"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a signer that no relayer uses
         * @description An API key that is limited to some relayers must reach all relayers that had the signer or its address, deleted ones included. If there are none, it must have created the signer. Requires the scope `signers:write`.
         */
        readonly delete: operations["deleteSigner"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Refused: a signer is never changed
         * @description Always 400, or 404 for a signer that does not exist. Requires the scope `signers:write`.
         */
        readonly patch: operations["updateSigner"];
        readonly trace?: never;
    };
    readonly "/api/v1/notifications": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List webhook configurations
         * @description Requires the scope `notifications:read`.
         */
        readonly get: operations["listNotifications"];
        readonly put?: never;
        /**
         * Create a webhook configuration
         * @description Requires the scope `notifications:write`.
         */
        readonly post: operations["createNotification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/{notification_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show a webhook configuration
         * @description Requires the scope `notifications:read`.
         */
        readonly get: operations["getNotification"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a webhook configuration that no relayer uses
         * @description Requires the scope `notifications:write`.
         */
        readonly delete: operations["deleteNotification"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a webhook configuration
         * @description Requires the scope `notifications:write`.
         */
        readonly patch: operations["updateNotification"];
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/{notification_id}/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List deliveries to a webhook, newest first
         * @description A page with more than 16 MiB has fewer items than `per_page`, and `next_cursor` continues. The same applies to an API key that is limited to some relayers, if it reaches only a few of many deliveries. Requires the scope `notifications:read`.
         */
        readonly get: operations["listDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/{notification_id}/deliveries/{delivery_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show a delivery and its attempts
         * @description Requires the scope `notifications:read`.
         */
        readonly get: operations["getDelivery"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/{notification_id}/deliveries/replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Replay dead deliveries
         * @description All dead deliveries created since a time, oldest first, at most 10 000. Requires the scope `notifications:write`.
         */
        readonly post: operations["replayDeadDeliveries"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/{notification_id}/deliveries/{delivery_id}/replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Replay a delivery
         * @description Makes the delivery due now, whatever its state. It keeps its id. Requires the scope `notifications:write`.
         */
        readonly post: operations["replayDelivery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/notifications/{notification_id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Deliver a test event
         * @description Allowed even while the webhook is switched off. Requires the scope `notifications:write`.
         */
        readonly post: operations["testNotification"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/networks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List networks
         * @description A page of more than 16 MiB is 400; by cursor it has fewer items than `per_page`, and `next_cursor` continues. Requires the scope `networks:read`.
         */
        readonly get: operations["listNetworks"];
        readonly put?: never;
        /**
         * Create a network
         * @description Without RPC endpoints it is for signing only. Requires the scope `networks:write`.
         */
        readonly post: operations["createNetwork"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/networks/{network_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show a network
         * @description Requires the scope `networks:read`.
         */
        readonly get: operations["getNetwork"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a network that no relayer uses
         * @description Requires the scope `networks:write`.
         */
        readonly delete: operations["deleteNetwork"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change the RPC endpoints of a network, or the methods that it passes on
         * @description An API key that is limited to some relayers must have created the network, and reach all relayers on it. Requires the scope `networks:write`.
         */
        readonly patch: operations["updateNetwork"];
        readonly trace?: never;
    };
    readonly "/api/v1/relayers": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List relayers
         * @description A page of more than 16 MiB is 400; by cursor it has fewer items than `per_page`, and `next_cursor` continues. Requires the scope `relayers:read`.
         */
        readonly get: operations["listRelayers"];
        readonly put?: never;
        /**
         * Create a relayer
         * @description Requires the scope `relayers:write`.
         */
        readonly post: operations["createRelayer"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show a relayer
         * @description Requires the scope `relayers:read`.
         */
        readonly get: operations["getRelayer"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a relayer that nothing depends on
         * @description Requires the scope `relayers:write`.
         */
        readonly delete: operations["deleteRelayer"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change a relayer
         * @description A JSON merge patch (RFC 7396). Requires the scope `relayers:write` or `relayers:pause`.
         */
        readonly patch: operations["updateRelayer"];
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/balance": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show a relayer's balance
         * @description Reads the chain. Works for paused and disabled relayers too; EVM networks only. Requires the scope `relayers:read`.
         */
        readonly get: operations["getRelayerBalance"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/rpc": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Call the nodes of a relayer's network
         * @description JSON-RPC 2.0, a call or a batch of up to 100; the response has no envelope. The methods in the network's rpc_methods are passed on, by default those that only read. Results and errors of nodes are passed on in the bytes in which they were received; -33000 says that no endpoint responded in time, -33001 that all of them limit requests, or that the service holds too many responses of nodes, -33002 that none could be used for another reason, -32004 that the method is not in rpc_methods, -32005 in a batch says that its responses together exceed the limit (RPC_MAX_RESPONSE_BYTES, 8 MiB). Requires the scope `rpc`.
         */
        readonly post: operations["rpc"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/transactions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List transactions, in the order of acceptance
         * @description With `metadata.order=42`, only transactions whose metadata has that text under that name. A page of more than 16 MiB is 400; by cursor it has fewer items than `per_page`, and `next_cursor` continues. Requires the scope `transactions:read`.
         */
        readonly get: operations["listTransactions"];
        readonly put?: never;
        /**
         * Send a transaction
         * @description Accepted means stored with its nonce: it is mined once, or ends with a reason. 200 for a repeated request. Requires the scope `transactions:write`.
         */
        readonly post: operations["sendTransaction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/transactions/batch": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send several transactions
         * @description Their nonces are in their order. Each item has its own result; with `atomic` all are accepted or none. Each item counts as one request against the rate limit. Requires the scope `transactions:write`.
         */
        readonly post: operations["sendTransactionBatch"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/transactions/pending": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Cancel all transactions that are not mined
         * @description Requires the scope `transactions:write`.
         */
        readonly delete: operations["deletePendingTransactions"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/transactions/by-nonce/{nonce}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the transaction that has a nonce
         * @description Requires the scope `transactions:read`.
         */
        readonly get: operations["getTransactionByNonce"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/transactions/{transaction_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show a transaction
         * @description With `wait`, as soon as it has that status or is final, at the latest after `timeout`. Requires the scope `transactions:read`.
         */
        readonly get: operations["getTransactionById"];
        /**
         * Replace a transaction that is not mined
         * @description It keeps its id and nonce. What is mined decides which of its attempts is executed. Requires the scope `transactions:write`.
         */
        readonly put: operations["replaceTransaction"];
        readonly post?: never;
        /**
         * Cancel a transaction that is not mined
         * @description A no-op takes its nonce. Its status stays until one of its attempts or the no-op is mined. Requires the scope `transactions:write`.
         */
        readonly delete: operations["cancelTransaction"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/transactions/{transaction_id}/attempts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the signed attempts of a transaction, oldest first
         * @description Requires the scope `transactions:read`.
         */
        readonly get: operations["listTransactionAttempts"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the state of a relayer and its account
         * @description Reads the chain. Works for paused and disabled relayers too; EVM networks only. Requires the scope `relayers:read`.
         */
        readonly get: operations["getRelayerStatus"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/relayers/{relayer_id}/nonce/sync": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Compare the nonces of ledger and chain
         * @description A difference is repaired once it has lasted, because a single response of a node decides nothing. A ledger that nodes have raised too high is lowered at once, to the nonce of the chain or above the highest nonce that anything was signed with. Requires the scope `transactions:write`.
         */
        readonly post: operations["syncRelayerNonce"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/signing/freeze": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show whether signing is frozen
         * @description Requires the scope `freeze`.
         */
        readonly get: operations["getSigningFreeze"];
        readonly put?: never;
        /**
         * Stop all signing
         * @description Applies to every relayer on every instance from the next signature on, also to batches in progress, and survives restarts. If signing is frozen already, the first reason and time stay, and pending requests to unfreeze are void. Requires the scope `freeze`.
         */
        readonly post: operations["freezeSigning"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/signing/unfreeze": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Let relayers sign again
         * @description Paused relayers stay paused. The body is optional. Requires the scope `freeze`.
         */
        readonly post: operations["unfreezeSigning"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/audit-events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List audit events, newest first
         * @description An API key that is limited to some relayers sees only the events that concern these. A page has fewer events than `per_page`, or none, if they are large or few match several filters; `next_cursor` continues, and is null at the end. Requires the scope `audit:read`.
         */
        readonly get: operations["listAuditEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/audit-events/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Export audit events, oldest first
         * @description NDJSON: an event in each line. A response that ends early is cut off, not closed. Requires the scope `audit:read`.
         */
        readonly get: operations["exportAuditEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/changes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List changes that needed approval, in the order of their requests
         * @description A page of more than 16 MiB is 400; by cursor it has fewer items than `per_page`, and `next_cursor` continues. The same applies to an API key that reaches only a few of many changes. Requires the scope `approve`.
         */
        readonly get: operations["listChanges"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/changes/{change_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show a change
         * @description Requires the scope `approve`.
         */
        readonly get: operations["getChange"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/changes/{change_id}/approve": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Approve a change
         * @description The last approval that it needs applies it, with the rights that its requester has then. Its requester cannot approve it. Requires the scope `approve`.
         */
        readonly post: operations["approveChange"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/changes/{change_id}/reject": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Reject a change
         * @description One key is enough, and the rejection is final. The requester withdraws a change in the same way. Requires the scope `approve`.
         */
        readonly post: operations["rejectChange"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/api-keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List API keys, without those that were revoked
         * @description Requires the scope `api-keys:manage`.
         */
        readonly get: operations["listApiKeys"];
        readonly put?: never;
        /**
         * Create an API key
         * @description The response has the key, which is never shown again. A key grants no more than its creator has. Requires the scope `api-keys:manage`.
         */
        readonly post: operations["createApiKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/api-keys/{key_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show an API key
         * @description Requires the scope `api-keys:manage`.
         */
        readonly get: operations["getApiKey"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Revoke an API key
         * @description It is refused from its next request on, on every instance. Keys that it created remain valid. Requires the scope `api-keys:manage`.
         */
        readonly delete: operations["deleteApiKey"];
        readonly options?: never;
        readonly head?: never;
        /**
         * Change an API key
         * @description A JSON merge patch (RFC 7396). It applies from the next request with the key. Requires the scope `api-keys:manage`.
         */
        readonly patch: operations["updateApiKey"];
        readonly trace?: never;
    };
    readonly "/api/v1/api-keys/{key_id}/rotate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Replace the secret of an API key
         * @description The response has the new key, which is never shown again. The body is optional. Requires the scope `api-keys:manage`.
         */
        readonly post: operations["rotateApiKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Liveness
         * @description The process responds; no dependency is checked.
         */
        readonly get: operations["getLiveness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Liveness under the prefix of the API
         * @description As /v1/health.
         */
        readonly get: operations["health"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/ready": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Readiness
         * @description With the state of each component.
         */
        readonly get: operations["getReadiness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/ready": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Readiness in the envelope
         * @description As /v1/ready.
         */
        readonly get: operations["readiness"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly SignatureResponse: {
            /** @example 4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d */
            readonly r: string;
            /** @example 07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562 */
            readonly s: string;
            /**
             * @description r, s and v one after the other.
             * @example 4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c
             */
            readonly sig: string;
            /** @example 28 */
            readonly v: number;
            /**
             * @description The digest that was signed, in lower-case hex without `0x`. Present if the request had full typed data.
             * @example be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2
             */
            readonly digest?: string;
        };
        readonly TypedDataHashesDto: {
            /**
             * @description hashStruct of the domain, 32 bytes of hex.
             * @example 0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f
             */
            readonly domain_separator: string;
            /**
             * @description hashStruct of the message, 32 bytes of hex.
             * @example 0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e
             */
            readonly hash_struct_message: string;
        };
        readonly TypedDataMemberDto: {
            /** @example contents */
            readonly name: string;
            /**
             * @description An atomic type, a name of `types`, or arrays of either.
             * @example string
             */
            readonly type: string;
        };
        readonly FullTypedDataDto: {
            readonly domain: components["schemas"]["TypedDataDomain"];
            readonly types: components["schemas"]["TypedDataTypes"];
            /** @example Mail */
            readonly primaryType: string;
            /**
             * @description Exactly the members of `primaryType`. Integers beyond 2^53-1 are decimal or `0x` strings.
             * @example {
             *       "contents": "Hello, Bob!"
             *     }
             */
            readonly message: components["schemas"]["JsonObject"];
        };
        readonly BatchItemResponse: {
            /** @example true */
            readonly success: boolean;
            readonly data?: components["schemas"]["SignatureResponse"];
            /**
             * @description What is wrong with this item, and how to correct it.
             * @example message.contents must be a string
             */
            readonly error?: string;
        };
        readonly SignMessageDto: {
            /**
             * @description Text, or hex digits; up to 256 KiB of bytes. It may be empty.
             * @example Some data
             */
            readonly message: string;
            /**
             * @description `utf8` signs the text, `hex` the bytes of the digits (an even number, either case, optional `0x`).
             * @default utf8
             */
            readonly encoding?: string;
        };
        readonly SignedTransactionResponse: {
            /**
             * @description The parameter of `eth_sendRawTransaction`: lower-case hex with `0x`.
             * @example 0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83
             */
            readonly signed_transaction: string;
            /**
             * @description The transaction hash: keccak256 of `signed_transaction`.
             * @example 0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788
             */
            readonly hash: string;
            /**
             * @description r, s and v (27 or 28 for every type) one after the other, without `0x`, over the hash of the unsigned transaction.
             * @example 28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa63627667cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d831b
             */
            readonly signature: string;
        };
        readonly SignTransactionDto: {
            /**
             * @description As an object, or serialized as `0x` and hex digits. Quantities are integers, decimal strings or `0x` and hex digits; prices and values in wei. At most 128 KiB when serialized, in either form.
             * @example {
             *       "type": 2,
             *       "chain_id": 11155111,
             *       "nonce": 9,
             *       "max_priority_fee_per_gas": 1000000000,
             *       "max_fee_per_gas": 20000000000,
             *       "gas_limit": 21000,
             *       "to": "0x3535353535353535353535353535353535353535",
             *       "value": "1000000000000000000"
             *     }
             */
            readonly transaction: components["schemas"]["LegacyTransaction"] | components["schemas"]["AccessListTransaction"] | components["schemas"]["DynamicFeeTransaction"] | components["schemas"]["SetCodeTransaction"] | string;
        };
        readonly SignerResponse: {
            /** @example treasury-key */
            readonly id: string;
            /** @example aws_kms */
            readonly type: string;
            /**
             * @example {
             *       "region": "eu-west-1",
             *       "key_id": "alias/treasury"
             *     }
             */
            readonly config: components["schemas"]["JsonObject"];
            /**
             * @description On EVM networks, EIP-55.
             * @example 0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826
             */
            readonly address: string;
            /** @description SEC 1, uncompressed. */
            readonly public_key: string;
        };
        readonly CreateSignerDto: {
            /**
             * @description A UUID v4 if omitted.
             * @example treasury-key
             */
            readonly id?: string | null;
            /**
             * @description `plain`, `keystore`, `aws_kms`, `google_cloud_kms`, `azure_key_vault`, `vault`, or a kind that a module adds. Not `local`, which reads a file of the server.
             * @example keystore
             */
            readonly type: string;
            /**
             * @description What the kind needs to access its key; see docs/custody.md.
             * @example {
             *       "region": "eu-west-1",
             *       "key_id": "alias/treasury"
             *     }
             */
            readonly config: components["schemas"]["JsonObject"];
        };
        readonly ApprovalResponse: {
            /**
             * @description Who approved it; `root` for the key of the settings.
             * @example 4f0b1c9e
             */
            readonly key_id: string;
            /** Format: date-time */
            readonly at: string;
        };
        readonly PendingChangeResponse: {
            /** Format: uuid */
            readonly id: string;
            readonly status: string;
            /** @description Why it needs approval; of several kinds the one that needs the most approvals. */
            readonly kind: string;
            /** @description All of its kinds. */
            readonly kinds: readonly string[];
            /**
             * @description The operation.
             * @example update_relayer
             */
            readonly operation: string;
            /**
             * @description The parameters of the operation; secrets are masked.
             * @example {
             *       "relayer_id": "treasury"
             *     }
             */
            readonly request: components["schemas"]["JsonObject"];
            /** @example treasury */
            readonly relayer_id: string | null;
            /**
             * @description The API key that requested it; `root` for the key of the settings.
             * @example root
             */
            readonly requested_by: string;
            readonly approvals: readonly components["schemas"]["ApprovalResponse"][];
            /**
             * @description How many approvals it needs.
             * @example 2
             */
            readonly needed: number;
            /** Format: date-time */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When it expires if it is still pending.
             */
            readonly expires_at: string;
            /** Format: date-time */
            readonly finished_at?: string;
            /** @description Who rejected it, or gave the last approval. */
            readonly finished_by?: string;
            /**
             * @description Why it failed: an error code.
             * @example change_conflict
             */
            readonly code?: string;
            /** @description Only in the response to a request that creates or rotates an API key. It works once the change is applied. */
            readonly key?: string;
        };
        readonly NotificationResponse: {
            /** @example ops-webhook */
            readonly id: string;
            /** @example webhook */
            readonly type: string;
            /**
             * @description Where its events are posted. To an API key that is limited to some relayers, path and query are masked
             *     (`https://host/***`) unless relayers use the notification, the key reaches all of them, and `events` has none that only
             *     unlimited keys may name. The response to a request that sets the URL has all of it.
             * @example https://hooks.example.com/relayer
             */
            readonly url: string;
            /** @example true */
            readonly has_signing_key: boolean;
            /** @description The events that it receives; absent if it receives all but `signature_created`, `signer_deleted`, `change_update` and those of plugins. */
            readonly events?: readonly components["schemas"]["NotificationEvent"][];
            /** @description Why it is not called any more; any change of it has it called again. */
            readonly disabled_reason?: string;
        };
        readonly CreateNotificationDto: {
            /**
             * @description A UUID v4 if omitted.
             * @example ops-webhook
             */
            readonly id?: string | null;
            /**
             * @default webhook
             * @example webhook
             */
            readonly type?: string | null;
            /**
             * @description Where events are posted; http or https.
             * @example https://hooks.example.com/relayer
             */
            readonly url: string;
            /**
             * @description The events that it receives; by default all but `signature_created`, `signer_deleted`, `change_update` and those of plugins.
             * @example [
             *       "relayer_state_update"
             *     ]
             */
            readonly events?: readonly components["schemas"]["NotificationEvent"][] | null;
            /**
             * @description Signs the events: at least 32 bytes of UTF-8, or `whsec_` and the base64 of 24 to 64. Responses never contain it.
             * @example a signing key of at least 32 bytes
             */
            readonly signing_key?: string | null;
        };
        readonly UpdateNotificationDto: {
            /** @example webhook */
            readonly type?: string | null;
            /** @example https://hooks.example.com/relayer */
            readonly url?: string | null;
            /**
             * @description Replaces the whole list; null returns to all but `signature_created`, `signer_deleted`, `change_update` and those of plugins.
             * @example [
             *       "relayer_state_update"
             *     ]
             */
            readonly events?: readonly components["schemas"]["NotificationEvent"][] | null;
            /**
             * @description `""` removes the key; at least 32 bytes, or `whsec_` and the base64 of 24 to 64, set it.
             * @example a signing key of at least 32 bytes
             */
            readonly signing_key?: string | null;
        };
        readonly DeliveryAttemptResponse: {
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly started_at: string;
            /** @example 120 */
            readonly duration_ms: number;
            /**
             * @description HTTP status, if there was a response.
             * @example 200
             */
            readonly status?: number;
            /** @description Absent if it was delivered. */
            readonly failure?: string;
            /**
             * @description The first 4 KiB of the response's body, as text; a note instead if the receiver is at a private address.
             * @example thanks
             */
            readonly answer?: string;
        };
        readonly DeliveryResponse: {
            /**
             * Format: uuid
             * @description Also the `id` of the body and the header `webhook-id`, at each attempt.
             * @example 0f4c2a9e-6f0f-4f43-9a3e-3d7a5b0d8c11
             */
            readonly id: string;
            readonly event: components["schemas"]["NotificationEvent"];
            /**
             * @description `payload_type`, and what belongs to it. Of `relayer_nonce_repaired`: `relayer_id`, `address` (string), `chain_id` (integer), `kind`
             *     (`raised`, `lowered`, `reassigned`, `adopted`, `gap_filled`, `resent`), `from` and `to` (integer or null), `nonces` (integers). Of `change_update`:
             *     `change`, a `PendingChangeResponse`, whose `request` is empty if the change is larger than 16 KiB.
             * @example {
             *       "payload_type": "relayer_nonce_repaired",
             *       "relayer_id": "payments",
             *       "kind": "reassigned",
             *       "address": "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826",
             *       "chain_id": 11155111,
             *       "from": 41,
             *       "to": 42,
             *       "nonces": []
             *     }
             */
            readonly payload: components["schemas"]["JsonObject"];
            /** @description `dead` means abandoned, until it is replayed. */
            readonly state: string;
            /**
             * @description Attempts since it was created, or last replayed.
             * @example 1
             */
            readonly attempt_count: number;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description For a pending delivery: when the next attempt is due, or when it is attempted again if the current attempt is lost.
             * @example 2026-01-31T12:00:05.000Z
             */
            readonly next_attempt_at?: string;
            /**
             * Format: date-time
             * @description Of a pending one: its last attempt is due at this time or before. If that is late, it is still made once.
             * @example 2026-02-01T12:00:00.000Z
             */
            readonly give_up_at?: string;
            /**
             * Format: date-time
             * @description When it was delivered or abandoned.
             * @example 2026-01-31T12:00:00.120Z
             */
            readonly finished_at?: string;
            /**
             * @description HTTP status of the last response.
             * @example 200
             */
            readonly last_status?: number;
            /** @description Why it is not delivered. */
            readonly last_failure?: string;
            /** @description The latest attempts, up to 100, in the order in which they were made. Only in the response with a single delivery. */
            readonly attempts?: readonly components["schemas"]["DeliveryAttemptResponse"][];
        };
        readonly ReplayedResponse: {
            /** @example 42 */
            readonly replayed: number;
            /**
             * @description Whether there are more: repeat the request.
             * @example false
             */
            readonly more: boolean;
        };
        readonly ReplayDeliveriesDto: {
            /**
             * Format: date-time
             * @description Only deliveries created at this time (RFC 3339) or later.
             * @example 2026-01-31T12:00:00Z
             */
            readonly since: string;
        };
        readonly RpcUrlResponse: {
            /** @example https://rpc.example.com/*** */
            readonly url: string;
            /** @example 100 */
            readonly weight: number;
        };
        readonly FeePercentiles: {
            /** @example 30 */
            readonly safeLow?: number | null;
            /** @example 50 */
            readonly average?: number | null;
            /** @example 85 */
            readonly fast?: number | null;
            /** @example 99 */
            readonly fastest?: number | null;
        };
        readonly NetworkFees: {
            /**
             * @description In wei: no transaction offers a lower tip. Default: the minimum that nodes of the chain require, if known.
             * @example 30000000000
             */
            readonly min_priority_fee?: number | string | (null);
            /** @description None may be below that of a slower speed. Defaults: 30, 50, 85, 99. */
            readonly percentiles?: components["schemas"]["FeePercentiles"] | (null);
            /**
             * @description Transactions have one gas price, from `eth_gasPrice`, although the network has base fees.
             * @example false
             */
            readonly legacy?: boolean | null;
        };
        readonly NetworkResponse: {
            /** @example evm:sepolia */
            readonly id: string;
            /** @example sepolia */
            readonly name: string;
            readonly network_type: components["schemas"]["NetworkType"];
            /** @example 11155111 */
            readonly chain_id?: number;
            /** @example ETH */
            readonly symbol?: string;
            /** @example 6 */
            readonly required_confirmations?: number;
            /** @example 12000 */
            readonly average_blocktime_ms?: number;
            /** @example true */
            readonly is_testnet?: boolean;
            /**
             * @example [
             *       "eip1559"
             *     ]
             */
            readonly features: readonly string[];
            /**
             * @example [
             *       "ethereum-based"
             *     ]
             */
            readonly tags: readonly string[];
            /**
             * @example [
             *       "https://sepolia.etherscan.io"
             *     ]
             */
            readonly explorer_urls: readonly string[];
            /** @description Empty if the network is for signing only. */
            readonly rpc_urls: readonly components["schemas"]["RpcUrlResponse"][];
            /** @description Endpoints that transactions are sent to privately, if there are any. */
            readonly private_rpc_urls?: readonly components["schemas"]["RpcUrlResponse"][];
            /**
             * @description Blocks after which a private transaction is sent publicly; absent for never.
             * @example 25
             */
            readonly private_fallback_blocks?: number;
            /** @description Settings for the fees of transactions, if they differ from the defaults. */
            readonly fees?: components["schemas"]["NetworkFees"];
            /**
             * @description The methods that relayers pass on to the nodes, if other than the read-only ones.
             * @example [
             *       "read",
             *       "eth_sendRawTransaction"
             *     ]
             */
            readonly rpc_methods?: readonly string[];
            /** @example Test SDF Network ; September 2015 */
            readonly passphrase?: string;
            /** @example https://horizon-testnet.stellar.org */
            readonly horizon_url?: string;
        };
        readonly RpcUrlDto: {
            /** @example https://rpc.example.com/v2/key */
            readonly url: string;
            /**
             * @description The share of the calls that goes to this endpoint.
             * @default 100
             */
            readonly weight?: number;
        };
        readonly CreateNetworkDto: {
            /**
             * @description EIP-155; required for EVM networks, and only they have one.
             * @example 11155111
             */
            readonly chain_id?: number | null;
            /**
             * @description Of the coin that pays for transactions.
             * @example ETH
             */
            readonly symbol?: string | null;
            /**
             * @description Blocks after which a transaction counts as final.
             * @example 6
             */
            readonly required_confirmations?: number | null;
            /** @example 12000 */
            readonly average_blocktime_ms?: number | null;
            /** @example true */
            readonly is_testnet?: boolean | null;
            /**
             * @description What the network can do, such as `eip1559`.
             * @example [
             *       "eip1559"
             *     ]
             */
            readonly features?: readonly string[] | null;
            /**
             * @description What the network is, such as `rollup`.
             * @example [
             *       "ethereum-based"
             *     ]
             */
            readonly tags?: readonly string[] | null;
            /**
             * @example [
             *       "https://sepolia.etherscan.io"
             *     ]
             */
            readonly explorer_urls?: readonly string[] | null;
            /**
             * @description None if the network is for signing only.
             * @example [
             *       "https://rpc.example.com/v2/key",
             *       {
             *         "url": "https://rpc.example.org",
             *         "weight": 50
             *       }
             *     ]
             */
            readonly rpc_urls?: readonly (string | components["schemas"]["RpcUrlDto"])[] | null;
            /**
             * @description Endpoints that hide a transaction until it is mined. Relayers with `policies.private_transactions` send to these, and read
             *     from the others. Only for EVM networks.
             * @example [
             *       "https://rpc.example.com/v2/key",
             *       {
             *         "url": "https://rpc.example.org",
             *         "weight": 50
             *       }
             *     ]
             */
            readonly private_rpc_urls?: readonly (string | components["schemas"]["RpcUrlDto"])[] | null;
            /**
             * @description Blocks after which a transaction that was sent privately, and is not mined, is sent to `rpc_urls` too; absent or null: it
             *     stays private. Only for EVM networks.
             * @example 25
             */
            readonly private_fallback_blocks?: number | null;
            /** @description How the fees of transactions are found. Only for EVM networks. */
            readonly fees?: components["schemas"]["NetworkFees"] | (null);
            /**
             * @description JSON-RPC methods that relayers pass on to the nodes; `read` stands for all read-only methods and is the default. A call
             *     whose response is lost is repeated, perhaps at another node: list only methods for which that is harmless.
             * @example [
             *       "read",
             *       "eth_sendRawTransaction"
             *     ]
             */
            readonly rpc_methods?: readonly string[] | null;
            /** @description Only for Stellar networks. */
            readonly passphrase?: string | null;
            /** @description Only for Stellar networks. */
            readonly horizon_url?: string | null;
            /** @example my-rollup */
            readonly name: string;
            readonly network_type: components["schemas"]["NetworkType"];
        };
        readonly UpdateNetworkDto: {
            /**
             * @description Replaces the whole list.
             * @example [
             *       "https://rpc.example.com/v2/key",
             *       {
             *         "url": "https://rpc.example.org",
             *         "weight": 50
             *       }
             *     ]
             */
            readonly rpc_urls?: readonly (string | components["schemas"]["RpcUrlDto"])[];
            /**
             * @description Replaces the whole list; null or an empty list removes it.
             * @example [
             *       "https://rpc.example.com/v2/key",
             *       {
             *         "url": "https://rpc.example.org",
             *         "weight": 50
             *       }
             *     ]
             */
            readonly private_rpc_urls?: readonly (string | components["schemas"]["RpcUrlDto"])[] | null;
            /**
             * @description Null: private transactions stay private.
             * @example 25
             */
            readonly private_fallback_blocks?: number | null;
            /** @description Replaces all of it; null restores the defaults. */
            readonly fees?: components["schemas"]["NetworkFees"] | (null);
            /**
             * @description Replaces the whole list; null restores the read-only methods.
             * @example [
             *       "read",
             *       "eth_sendRawTransaction"
             *     ]
             */
            readonly rpc_methods?: readonly string[] | null;
        };
        readonly TopUpPolicy: {
            /**
             * @description The relayer that sends them, within its own policies; another one of the same network.
             * @example treasury
             */
            readonly from_relayer?: string;
            /**
             * @description From 0 to 340282366920938463463374607431768211455; beyond 2^53-1 as a decimal string.
             * @example 100000000000000000
             */
            readonly below?: number | string;
            /**
             * @description From 0 to 340282366920938463463374607431768211455; beyond 2^53-1 as a decimal string.
             * @example 500000000000000000
             */
            readonly to?: number | string;
        };
        readonly TypedDataPattern: {
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 11155111
             */
            readonly chain_id?: number | string | (null);
            /**
             * @description As the domain has it; stored checksummed (EIP-55).
             * @example 0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826
             */
            readonly verifying_contract?: string | null;
            /** @example Permit */
            readonly primary_type?: string | null;
            /**
             * @description The allowed values of members of the message, by name: a value, a list of values, or `{min, max}` for integers. Values
             *     are compared by the type of the member. Only members of the primary type itself that are neither structs nor
             *     arrays can match.
             * @example {
             *       "spender": [
             *         "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"
             *       ],
             *       "value": {
             *         "max": "1000"
             *       }
             *     }
             */
            readonly fields?: components["schemas"]["FieldConstraints"] | (null);
        };
        readonly TypedDataPolicy: {
            /**
             * @description Whether two hashes are signed, whose content cannot be checked. False by default.
             * @example true
             */
            readonly allow_blind_hashes?: boolean | null;
            /** @description If set, full typed data must match one of the entries. A patch replaces the whole list. */
            readonly allowed?: readonly components["schemas"]["TypedDataPattern"][] | null;
        };
        readonly MessagePolicy: {
            /**
             * @description `text` is printable UTF-8 whose length is not 32 bytes: the hash of something else, such as the transaction of a
             *     Safe, could be searched for until it is printable.
             * @example text
             */
            readonly allow?: string;
        };
        readonly AllowedMethods: {
            /**
             * @description The contract; any if omitted. Stored checksummed (EIP-55).
             * @example 0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826
             */
            readonly to?: string | null;
            /**
             * @description The first four bytes of the calldata; `0x` means a transfer without calldata.
             * @example [
             *       "0xa9059cbb"
             *     ]
             */
            readonly selectors: readonly string[];
        };
        readonly SpendLimit: {
            /**
             * @description How far back spending counts.
             * @example 24h
             */
            readonly per: string;
            /**
             * @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935; beyond 2^53-1 as a decimal string.
             * @example 1000000000000000000
             */
            readonly max_value?: number | string | (null);
            /**
             * @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935; beyond 2^53-1 as a decimal string.
             * @example 10000000000000000
             */
            readonly max_fee?: number | string | (null);
        };
        readonly TransactionPolicy: {
            /**
             * @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935; beyond 2^53-1 as a decimal string.
             * @example 1000000000000000000
             */
            readonly max_value?: number | string | (null);
            /**
             * @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935; beyond 2^53-1 as a decimal string.
             * @example 10000000000000000
             */
            readonly max_fee?: number | string | (null);
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 100000
             */
            readonly max_gas_limit?: number | string | (null);
            /**
             * @description Whether contracts may be created. True by default, but false beside `allowed_methods`; never beside `whitelist_receivers`.
             * @example false
             */
            readonly allow_contract_creation?: boolean | null;
            /** @description If set, a call must match one of the entries, and transactions of type 4 are rejected. A patch replaces the whole list. */
            readonly allowed_methods?: readonly components["schemas"]["AllowedMethods"][] | null;
            /** @description For transactions that this service sends; transactions that it only signs are refused. A patch replaces the whole list. */
            readonly spend_limits?: readonly components["schemas"]["SpendLimit"][] | null;
            /**
             * @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935; beyond 2^53-1 as a decimal string.
             * @example 5000000000000000000
             */
            readonly approval_above?: number | string | (null);
        };
        readonly EvmPolicies: {
            /**
             * @description Whether new transactions have EIP-1559 fees, if the network supports them; false: one gas price.
             * @example true
             */
            readonly eip1559_pricing?: boolean | null;
            /**
             * @description Whether the service finds the gas limit of transactions that come without one; false: they are refused.
             * @example true
             */
            readonly gas_limit_estimation?: boolean | null;
            /**
             * @description From 0 to 340282366920938463463374607431768211455; beyond 2^53-1 as a decimal string.
             * @example 100000000000
             */
            readonly gas_price_cap?: number | string | (null);
            /**
             * @description From 0 to 340282366920938463463374607431768211455; beyond 2^53-1 as a decimal string.
             * @example 1
             */
            readonly min_balance?: number | string | (null);
            /**
             * @description From 0 to 340282366920938463463374607431768211455; beyond 2^53-1 as a decimal string.
             * @example 50000000000000000
             */
            readonly low_balance?: number | string | (null);
            /** @description Another relayer that sends coins to this one when it has few. */
            readonly top_up?: components["schemas"]["TopUpPolicy"] | (null);
            /**
             * @description Transactions are sent only to `private_rpc_urls` of the network, and refused if it has none.
             * @example false
             */
            readonly private_transactions?: boolean | null;
            /**
             * @description Addresses that transactions may go to, checksummed (EIP-55). Applies to transactions only.
             * @example [
             *       "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"
             *     ]
             */
            readonly whitelist_receivers?: readonly string[] | null;
            /**
             * @description Has no effect: responses always have the revert data.
             * @example false
             */
            readonly include_revert_data?: boolean | null;
            readonly typed_data?: components["schemas"]["TypedDataPolicy"] | (null);
            readonly messages?: components["schemas"]["MessagePolicy"] | (null);
            readonly transactions?: components["schemas"]["TransactionPolicy"] | (null);
        };
        readonly JupiterSwapOptions: {
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 1
             */
            readonly priority_fee_max_lamports?: number | string | (null);
            readonly priority_level?: string | null;
            /** @example true */
            readonly dynamic_compute_unit_limit?: boolean | null;
        };
        readonly SolanaSwap: {
            readonly strategy?: string | null;
            /** @example 0 0 * * * * */
            readonly cron_schedule?: string | null;
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 1
             */
            readonly min_balance_threshold?: number | string | (null);
            readonly jupiter_swap_options?: components["schemas"]["JupiterSwapOptions"] | (null);
        };
        readonly TokenSwap: {
            readonly slippage_percentage?: number | null;
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 1
             */
            readonly min_amount?: number | string | (null);
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 1
             */
            readonly max_amount?: number | string | (null);
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 1
             */
            readonly retain_min_amount?: number | string | (null);
        };
        readonly SolanaAllowedToken: {
            /** @example EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v */
            readonly mint: string;
            readonly decimals?: number | null;
            /** @example USDC */
            readonly symbol?: string | null;
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 1
             */
            readonly max_allowed_fee?: number | string | (null);
            readonly swap_config?: components["schemas"]["TokenSwap"] | (null);
        };
        readonly SolanaPolicies: {
            /**
             * @example [
             *       "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
             *     ]
             */
            readonly allowed_programs?: readonly string[] | null;
            readonly max_signatures?: number | null;
            readonly max_tx_data_size?: number | null;
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 10000000
             */
            readonly min_balance?: number | string | (null);
            readonly allowed_tokens?: readonly components["schemas"]["SolanaAllowedToken"][] | null;
            readonly fee_payment_strategy?: string | null;
            readonly fee_margin_percentage?: number | null;
            /**
             * @example [
             *       "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
             *     ]
             */
            readonly allowed_accounts?: readonly string[] | null;
            /**
             * @example [
             *       "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
             *     ]
             */
            readonly disallowed_accounts?: readonly string[] | null;
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 1
             */
            readonly max_allowed_fee_lamports?: number | string | (null);
            readonly swap_config?: components["schemas"]["SolanaSwap"] | (null);
        };
        readonly StellarSwap: {
            /**
             * @example [
             *       "order-book"
             *     ]
             */
            readonly strategies?: readonly string[] | null;
            /** @example 0 0 * * * * */
            readonly cron_schedule?: string | null;
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 1
             */
            readonly min_balance_threshold?: number | string | (null);
        };
        readonly StellarAllowedToken: {
            /**
             * @description `native`, `XLM`, `CODE:ISSUER` or the address of a contract.
             * @example native
             */
            readonly asset: string;
            /** @description What the network reports about the asset; stored unchanged. */
            readonly metadata?: components["schemas"]["JsonObject"] | (null);
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 1
             */
            readonly max_allowed_fee?: number | string | (null);
            readonly swap_config?: components["schemas"]["TokenSwap"] | (null);
        };
        readonly StellarPolicies: {
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 1000000
             */
            readonly min_balance?: number | string | (null);
            readonly max_fee?: number | null;
            /**
             * @description From 0 to 18446744073709551615; beyond 2^53-1 as a decimal string.
             * @example 30
             */
            readonly timeout_seconds?: number | string | (null);
            /** @example false */
            readonly concurrent_transactions?: boolean | null;
            readonly allowed_tokens?: readonly components["schemas"]["StellarAllowedToken"][] | null;
            /** @example relayer */
            readonly fee_payment_strategy?: string;
            readonly slippage_percentage?: number | null;
            readonly fee_margin_percentage?: number | null;
            readonly swap_config?: components["schemas"]["StellarSwap"] | (null);
        };
        readonly RelayerResponse: {
            /** @example demo */
            readonly id: string;
            /** @example Demonstration relayer */
            readonly name: string;
            /**
             * @description The label by which API keys reach it.
             * @example payouts
             */
            readonly group?: string;
            /** @example sepolia */
            readonly network: string;
            readonly network_type: components["schemas"]["NetworkType"];
            /** @example 0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826 */
            readonly address: string;
            /** @example demo */
            readonly signer_id: string;
            /** @example ops-webhook */
            readonly notification_id?: string;
            /** @example false */
            readonly paused: boolean;
            /** @example false */
            readonly system_disabled: boolean;
            readonly disabled_reason?: components["schemas"]["DisabledReason"];
            readonly custom_rpc_urls?: readonly components["schemas"]["RpcUrlResponse"][];
            /**
             * @example {
             *       "min_balance": 1
             *     }
             */
            readonly policies?: components["schemas"]["EvmPolicies"] | components["schemas"]["SolanaPolicies"] | components["schemas"]["StellarPolicies"];
        };
        readonly CreateRelayerDto: {
            /**
             * @description A label by which API keys reach the relayers that carry it; null removes it.
             * @example payouts
             */
            readonly group?: string | null;
            /**
             * @description Merged member by member; a member that is null returns to its default, null altogether resets all. At most 256 KiB in all, as JSON.
             * @example {
             *       "min_balance": 1
             *     }
             */
            readonly policies?: (components["schemas"]["EvmPolicies"] | components["schemas"]["SolanaPolicies"] | components["schemas"]["StellarPolicies"]) | (null);
            /**
             * @description Null unlinks the webhook.
             * @example null
             */
            readonly notification_id?: string | null;
            /** @description Replaces the whole list, which has at most 49 000 bytes as JSON; null returns to the network's own endpoints. */
            readonly custom_rpc_urls?: readonly components["schemas"]["RpcUrlDto"][] | null;
            /**
             * @description A UUID v4 if omitted.
             * @example treasury
             */
            readonly id?: string | null;
            /** @example Treasury */
            readonly name: string;
            /**
             * @description The name of a network of this type.
             * @example sepolia
             */
            readonly network: string;
            readonly network_type: components["schemas"]["NetworkType"];
            /** @example false */
            readonly paused: boolean;
            /**
             * @description A signer serves one relayer per network. On EVM, an address on a chain id has one relayer.
             * @example treasury-key
             */
            readonly signer_id: string;
        };
        readonly UpdateRelayerDto: {
            /**
             * @description Null does not change the name.
             * @example Treasury
             */
            readonly name?: string | null;
            /**
             * @description A label by which API keys reach the relayers that carry it; null removes it.
             * @example payouts
             */
            readonly group?: string | null;
            /**
             * @description A paused relayer signs nothing.
             * @example true
             */
            readonly paused?: boolean;
            /**
             * @description Merged member by member; a member that is null returns to its default, null altogether resets all. At most 256 KiB in all, as JSON.
             * @example {
             *       "min_balance": 1
             *     }
             */
            readonly policies?: (components["schemas"]["EvmPolicies"] | components["schemas"]["SolanaPolicies"] | components["schemas"]["StellarPolicies"]) | (null);
            /**
             * @description Null unlinks the webhook.
             * @example null
             */
            readonly notification_id?: string | null;
            /** @description Replaces the whole list, which has at most 49 000 bytes as JSON; null returns to the network's own endpoints. */
            readonly custom_rpc_urls?: readonly components["schemas"]["RpcUrlDto"][] | null;
        };
        readonly RelayerBalanceResponse: {
            /**
             * @description Exact: a decimal string beyond 2^53-1.
             * @example 1000000000000000000
             */
            readonly balance: number | string;
            /** @example wei */
            readonly unit: string;
        };
        readonly TransactionResponse: {
            /**
             * Format: uuid
             * @example 3b9a4f5e-2f0f-4f43-9a3e-3d7a5b0d8c11
             */
            readonly id: string;
            /** @example 0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788 */
            readonly hash: string | null;
            /**
             * @description The hashes of all attempts, oldest first.
             * @example [
             *       "0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788"
             *     ]
             */
            readonly hashes: readonly string[];
            readonly status: components["schemas"]["TransactionStatus"];
            /**
             * @description What the transaction waits for, or why it ended as it did; null after success.
             * @example null
             */
            readonly status_reason: string | null;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.000Z
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When a node first acknowledged an attempt.
             */
            readonly sent_at: string | null;
            /** Format: date-time */
            readonly confirmed_at: string | null;
            /** @description In wei, as a decimal string; null for a transaction with EIP-1559 fees. */
            readonly gas_price: string | null;
            /** @example 20000000000 */
            readonly max_fee_per_gas: string | null;
            /** @example 1000000000 */
            readonly max_priority_fee_per_gas: string | null;
            /** @example 21000 */
            readonly gas_limit: number | null;
            /**
             * @description Null if the chain has lost the transaction, and a filler has its nonce.
             * @example 7
             */
            readonly nonce: number | null;
            /**
             * @description In wei, as the shortest hex form.
             * @example 0xde0b6b3a7640000
             */
            readonly value: string;
            /** @example 0x3535353535353535353535353535353535353535 */
            readonly from: string;
            /** @example 0x3535353535353535353535353535353535353535 */
            readonly to: string | null;
            /** @example 0x */
            readonly data: string | null;
            /** @example demo */
            readonly relayer_id: string;
            /** @description Of the attempt; null while nothing is signed. */
            readonly signature: components["schemas"]["TransactionSignature"] | (null);
            readonly speed: components["schemas"]["Speed"] | (null);
            /**
             * @description DELETE was requested. What is mined decides whether it was canceled.
             * @example false
             */
            readonly is_canceled: boolean;
            /**
             * @description Why the execution failed: the text of the error, the meaning of a panic, or the selector of a custom error.
             * @example null
             */
            readonly revert_reason: string | null;
            /**
             * @description All that the failed execution returned: `0x` and hex digits. Null if it is more than 32 KiB.
             * @example null
             */
            readonly revert_data: string | null;
            /** @example null */
            readonly metadata: components["schemas"]["TransactionMetadata"] | (null);
        };
        readonly TransactionRequestDto: {
            /**
             * @description The receiver; null or absent creates a contract from `data`.
             * @example 0x3535353535353535353535353535353535353535
             */
            readonly to?: string | null;
            /**
             * @description In wei, at most 2^128-1.
             * @example 1000000000000000
             */
            readonly value: number | string;
            /**
             * @description The prefix `0x` may be left out.
             * @example 0x
             */
            readonly data?: string | null;
            /**
             * @description Used unchanged. Without it the transaction is simulated, and gets a fifth more gas than the simulation used.
             * @example 21000
             */
            readonly gas_limit?: number | string | (null);
            /**
             * @description Fees come from the market, and are raised while the transaction waits.
             * @example fast
             */
            readonly speed?: components["schemas"]["Speed"] | (null);
            /** @description Used exactly, in a transaction of type 0 or 1. */
            readonly gas_price?: number | string | (null);
            /** @description Used exactly. */
            readonly max_fee_per_gas?: number | string | (null);
            readonly max_priority_fee_per_gas?: number | string | (null);
            /**
             * Format: date-time
             * @description After this time a no-op takes its nonce, unless it is mined.
             * @example 2036-01-31T12:00:00Z
             */
            readonly valid_until?: string | null;
            /** @example 2 */
            readonly type?: number | null;
            /** @description EIP-2930. */
            readonly access_list?: readonly components["schemas"]["AccessListItem"][] | null;
            /** @description EIP-7702. */
            readonly authorization_list?: readonly components["schemas"]["Authorization"][] | null;
            /** @description The highest price per unit of gas of any attempt, except a no-op that takes its nonce; not below the fees of the request. */
            readonly max_attempts_price?: number | string | (null);
            /** @description True: simulated even if `gas_limit` is given. False: never simulated, so `gas_limit` is required. */
            readonly simulate?: boolean | null;
            /**
             * @description Texts of the client, at most 1 KiB of JSON; lists can be filtered by them.
             * @example {
             *       "order": "42"
             *     }
             */
            readonly metadata?: components["schemas"]["TransactionMetadata"] | (null);
        };
        readonly TransactionBatchItemResponse: {
            readonly transaction?: components["schemas"]["TransactionResponse"];
            /** @example Transaction would revert: not the owner */
            readonly error?: string;
        };
        readonly TransactionBatchDto: {
            readonly transactions: readonly components["schemas"]["TransactionRequestDto"][];
            /**
             * @description All are accepted or none.
             * @default false
             */
            readonly atomic?: boolean;
        };
        readonly CanceledTransactionsResponse: {
            readonly queued_for_cancellation_transaction_ids: readonly string[];
            /** @description Mined meanwhile. */
            readonly failed_to_queue_transaction_ids: readonly string[];
            /** @example 0 */
            readonly total_processed: number;
        };
        readonly TransactionAttemptResponse: {
            readonly hash: string;
            readonly kind: string;
            /** @example 7 */
            readonly nonce: number;
            readonly gas_price: string | null;
            readonly max_fee_per_gas: string | null;
            readonly max_priority_fee_per_gas: string | null;
            /** @example 21000 */
            readonly gas_limit: number;
            /** Format: date-time */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When a node first returned it, or said that it has it.
             */
            readonly acknowledged_at: string | null;
        };
        readonly RelayerStatusResponse: {
            readonly network_type: components["schemas"]["NetworkType"];
            /**
             * @description In wei, as a decimal string.
             * @example 1000000000000000000
             */
            readonly balance: string;
            /**
             * @description Transactions of this service that are not on the chain yet: pending, sent and submitted.
             * @example 0
             */
            readonly pending_transactions_count: number;
            /**
             * Format: date-time
             * @example null
             */
            readonly last_confirmed_transaction_timestamp: string | null;
            /** @example false */
            readonly system_disabled: boolean;
            /** @example false */
            readonly paused: boolean;
            /**
             * @description The nonce of its next transaction, as the ledger has it; a decimal string.
             * @example 7
             */
            readonly nonce: string;
            /**
             * @description The nonce of the next transaction that the chain can include, as a decimal string.
             * @example 7
             */
            readonly chain_nonce: string;
            /**
             * @description The lowest nonce of a transaction that is not final.
             * @example null
             */
            readonly oldest_open_nonce: number | null;
            /**
             * @description Nonces that no transaction has, between those of the chain and the ledger; they are filled.
             * @example []
             */
            readonly nonce_gaps: readonly number[];
        };
        readonly NonceReportResponse: {
            /** @example 7 */
            readonly chain_nonce: number;
            /** @example 7 */
            readonly ledger_nonce: number;
            /**
             * @description Nonces that nobody owns.
             * @example []
             */
            readonly gaps: readonly number[];
            /** @description What is done: the ledger is raised to the chain, it was lowered as shown here, or nonces that the chain has lost are sent again or filled. */
            readonly action: string;
        };
        readonly SigningFreezeResponse: {
            /** @example true */
            readonly frozen: boolean;
            /**
             * @description Null if signing is not frozen.
             * @example INC-142: signatures nobody asked for
             */
            readonly reason: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T10:00:00.000Z
             */
            readonly since: string | null;
        };
        readonly FreezeSigningDto: {
            /**
             * @description Shown in the log, by GET and in every rejection of a signature.
             * @example INC-142: signatures nobody asked for
             */
            readonly reason: string;
        };
        readonly UnfreezeSigningDto: {
            /**
             * @description For the log.
             * @example INC-142: key replaced
             */
            readonly reason?: string | null;
        };
        readonly AuditEventResponse: {
            /**
             * @description Its chain and its place in that.
             * @example 7-42
             */
            readonly id: string;
            /**
             * Format: date-time
             * @example 2026-01-31T12:00:00.123Z
             */
            readonly at: string;
            /**
             * @description The API key of the caller, or `root`; null for the service itself. Of an approved change, the key that requested it.
             * @example root
             */
            readonly key_id: string | null;
            /** @example signature.create */
            readonly action: string;
            /** @example demo */
            readonly relayer_id: string | null;
            /** @example demo */
            readonly signer_id: string | null;
            /** @description Of an approved change, the request of the last approval. */
            readonly request_id: string | null;
            /**
             * @description Null without a client, and for what an approved change does: its client is in the event `change.request`.
             * @example 192.0.2.1
             */
            readonly client_ip: string | null;
            readonly outcome: string;
            /**
             * @description Why it failed: a code of the API, or the cause of a failed authentication.
             * @example null
             */
            readonly code: string | null;
            /** @description What was signed, in lower-case hex without `0x`. */
            readonly digest: string | null;
            /**
             * @description What the digest stands for.
             * @example typed_data_hashes
             */
            readonly form: string | null;
            /**
             * @description The fields that were changed, each `{before, after}`; secrets are masked. `approved_change` names the approved change that did it.
             * @example null
             */
            readonly changes: components["schemas"]["JsonObject"] | (null);
            /**
             * @description The number of the chain that the event is in.
             * @example 7
             */
            readonly chain: number;
            /**
             * @description Its place in the chain, from 1, without gaps.
             * @example 42
             */
            readonly sequence: number;
            /** @description SHA-256 over this event and the hash of the one before it in its chain. */
            readonly hash: string;
        };
        readonly ApiKeyRateLimitDto: {
            /** @example 20 */
            readonly requests_per_second: number;
            /** @example 40 */
            readonly burst: number;
        };
        readonly ApiKeyResponse: {
            /** @example 7mxk2p9c4hfw */
            readonly id: string;
            /** @example Checkout */
            readonly name: string;
            /**
             * @example [
             *       "relayers:read",
             *       "sign:typed-data"
             *     ]
             */
            readonly scopes: readonly components["schemas"]["Scope"][];
            /**
             * @description The relayers that it reaches, in addition to those of `groups`; all relayers if it has neither. A key that is limited to some relayers sees only those that it names itself, possibly none.
             * @example [
             *       "treasury"
             *     ]
             */
            readonly relayers?: readonly string[];
            /**
             * @description Shown as `relayers`.
             * @example [
             *       "checkout"
             *     ]
             */
            readonly groups?: readonly string[];
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.000Z
             */
            readonly expires_at?: string;
            /**
             * @example [
             *       "10.20.0.0/16",
             *       "2001:db8::/48"
             *     ]
             */
            readonly allowed_ips?: readonly string[];
            readonly rate_limit?: components["schemas"]["ApiKeyRateLimitDto"];
            /**
             * @description The public key of signed requests: SPKI as PEM.
             * @example -----BEGIN PUBLIC KEY-----
             *     MCowBQYDK2VwAyEA…
             *     -----END PUBLIC KEY-----
             */
            readonly public_key?: string;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation works.
             * @example 2027-01-31T12:00:00.000Z
             */
            readonly previous_valid_until?: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.000Z
             */
            readonly created_at: string;
            /**
             * @description The id of the key that created it, `root` or `shell`.
             * @example root
             */
            readonly created_by: string;
            /**
             * Format: date-time
             * @description To the minute; absent if it was never used.
             * @example 2027-01-31T12:00:00.000Z
             */
            readonly last_used_at?: string;
            /** @description `rk_<id>_<secret>`, for `Authorization: Bearer`. Only the response that creates or rotates the key has it. */
            readonly key?: string;
        };
        readonly CreateApiKeyDto: {
            /** @example Checkout */
            readonly name: string;
            /**
             * @description `*` is all of them.
             * @example [
             *       "relayers:read",
             *       "sign:typed-data"
             *     ]
             */
            readonly scopes: readonly components["schemas"]["Scope"][];
            /**
             * @description Ids of the relayers that the key reaches, in addition to those of `groups`; all relayers if it has neither.
             * @example [
             *       "treasury"
             *     ]
             */
            readonly relayers?: readonly string[] | null;
            /**
             * @description Groups whose relayers the key reaches.
             * @example [
             *       "checkout"
             *     ]
             */
            readonly groups?: readonly string[] | null;
            /**
             * Format: date-time
             * @description When the key stops working (RFC 3339).
             * @example 2027-01-31T12:00:00Z
             */
            readonly expires_at?: string | null;
            /**
             * @description Addresses and CIDR ranges of the clients that may use the key.
             * @example [
             *       "10.20.0.0/16",
             *       "2001:db8::/48"
             *     ]
             */
            readonly allowed_ips?: readonly string[] | null;
            /**
             * @description Requests are signed by this key instead of carrying a secret: Ed25519 or P-256, as PEM or JWK.
             * @example null
             */
            readonly public_key?: string | components["schemas"]["JsonObject"] | (null);
            /** @description Replaces the general limit. */
            readonly rate_limit?: components["schemas"]["ApiKeyRateLimitDto"] | (null);
        };
        readonly UpdateApiKeyDto: {
            /**
             * @description Null does not change the name.
             * @example Checkout
             */
            readonly name?: string | null;
            /**
             * @description Replaces the whole list.
             * @example [
             *       "relayers:read",
             *       "sign:typed-data"
             *     ]
             */
            readonly scopes?: readonly components["schemas"]["Scope"][];
            /**
             * @description Replaces the whole list. With neither `relayers` nor `groups` the key reaches all relayers.
             * @example [
             *       "treasury"
             *     ]
             */
            readonly relayers?: readonly string[] | null;
            /**
             * @description Replaces the whole list.
             * @example [
             *       "checkout"
             *     ]
             */
            readonly groups?: readonly string[] | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00Z
             */
            readonly expires_at?: string | null;
            /**
             * @description Replaces the whole list.
             * @example [
             *       "10.20.0.0/16",
             *       "2001:db8::/48"
             *     ]
             */
            readonly allowed_ips?: readonly string[] | null;
            /** @description Null returns to the general limit. */
            readonly rate_limit?: components["schemas"]["ApiKeyRateLimitDto"] | (null);
        };
        readonly RotateApiKeyDto: {
            /**
             * @description How long the current secret stays valid in addition to the new one. 0 ends it at once, rejects pending changes that the key has requested, and withdraws its approvals of others. Default: `API_KEY_OVERLAP_SECONDS`.
             * @example 600
             */
            readonly overlap_seconds?: number | null;
        };
        readonly ReadinessResponse: {
            readonly status: string;
            /**
             * @description Of the service.
             * @example 1.0.0
             */
            readonly version: string;
            /**
             * @description By name, each with its `status`: `up`, `down` or `degraded`; of `signing` `active` or `frozen`.
             * @example {
             *       "database": {
             *         "status": "up"
             *       },
             *       "signing": {
             *         "status": "active"
             *       }
             *     }
             */
            readonly components: components["schemas"]["JsonObject"];
        };
        readonly JsonObject: {
            readonly [key: string]: unknown;
        };
        /** @description Present only when the handler recorded something about the request. */
        readonly ResponseMetadata: {
            /** @description Each has `level` and `message`. */
            readonly logs: readonly components["schemas"]["JsonObject"][];
            readonly traces: readonly unknown[];
        };
        readonly SignatureEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["SignatureResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        /** @description The response to every request that fails. */
        readonly Failure: {
            /** @enum {boolean} */
            readonly success: false;
            /** @enum {object|null} */
            readonly data: never | null;
            /**
             * @description What is wrong, in terms that the caller can act on.
             * @example page and cursor must not be given together
             */
            readonly error: string;
            /**
             * @description The short text of its kind.
             * @example Bad Request
             */
            readonly message: string;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly SignTypedDataBatchDto: {
            readonly items: readonly (components["schemas"]["TypedDataHashesDto"] | components["schemas"]["FullTypedDataDto"])[];
        };
        readonly BatchItemList: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["BatchItemResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly SignedTransactionEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["SignedTransactionResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly Pagination: {
            /** @example 1 */
            readonly current_page: number;
            /** @example 10 */
            readonly per_page: number;
            /** @example 1 */
            readonly total_items: number;
        };
        readonly CursorPagination: {
            /**
             * @description The `cursor` of the next request; null at the end of the list.
             * @example null
             */
            readonly next_cursor: string | null;
            /** @example 10 */
            readonly per_page: number;
        };
        readonly SignerPage: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["SignerResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
            readonly pagination: components["schemas"]["Pagination"] | components["schemas"]["CursorPagination"];
        };
        readonly SignerEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["SignerResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly TextEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: string;
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly PendingChangeEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["PendingChangeResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly NotificationPage: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["NotificationResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
            readonly pagination: components["schemas"]["Pagination"] | components["schemas"]["CursorPagination"];
        };
        readonly NotificationEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["NotificationResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        /** @enum {string} */
        readonly NotificationEvent: "relayer_state_update" | "relayer_update" | "relayer_low_balance" | "relayer_nonce_repaired" | "relayer_deleted" | "signature_created" | "transaction_update" | "signer_deleted" | "change_update" | "notification_update" | "notification_deleted" | "test" | `${string}.${string}`;
        readonly DeliveryPage: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["DeliveryResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
            readonly pagination: components["schemas"]["CursorPagination"];
        };
        readonly DeliveryEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["DeliveryResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly ReplayedEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["ReplayedResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly NetworkPage: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["NetworkResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
            readonly pagination: components["schemas"]["Pagination"] | components["schemas"]["CursorPagination"];
        };
        readonly NetworkEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["NetworkResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly RelayerPage: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["RelayerResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
            readonly pagination: components["schemas"]["Pagination"] | components["schemas"]["CursorPagination"];
        };
        readonly RelayerEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["RelayerResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly RelayerBalanceEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["RelayerBalanceResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly RpcCall: {
            /** @example 2.0 */
            readonly jsonrpc?: string;
            /**
             * @description 1 if omitted.
             * @example 1
             */
            readonly id?: (string | null) | number;
            /** @example eth_blockNumber */
            readonly method: string;
            /** @example [] */
            readonly params?: unknown;
        };
        readonly RpcResult: {
            /** @example 2.0 */
            readonly jsonrpc: string;
            readonly id: (string | null) | number;
            /** @example 0x10d4f */
            readonly result?: unknown;
            /** @description As the node sent it: `code`, `message`, and what the node adds, often `data`. */
            readonly error?: components["schemas"]["JsonObject"];
        };
        readonly TransactionEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["TransactionResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        /** @enum {string} */
        readonly TransactionStatus: "pending" | "sent" | "submitted" | "mined" | "confirmed" | "failed" | "canceled" | "expired";
        readonly TransactionPage: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["TransactionResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
            readonly pagination: components["schemas"]["Pagination"] | components["schemas"]["CursorPagination"];
        };
        readonly TransactionBatchItemList: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["TransactionBatchItemResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly CanceledTransactionsEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["CanceledTransactionsResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly TransactionAttemptList: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["TransactionAttemptResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly RelayerStatusEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["RelayerStatusResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly NonceReportEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["NonceReportResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly SigningFreezeEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["SigningFreezeResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly AuditEventPage: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["AuditEventResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
            readonly pagination: components["schemas"]["CursorPagination"];
        };
        readonly PendingChangePage: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["PendingChangeResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
            readonly pagination: components["schemas"]["Pagination"] | components["schemas"]["CursorPagination"];
        };
        readonly ApiKeyPage: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["ApiKeyResponse"][];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
            readonly pagination: components["schemas"]["Pagination"] | components["schemas"]["CursorPagination"];
        };
        readonly ApiKeyEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["ApiKeyResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        readonly ReadinessEnvelope: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["ReadinessResponse"];
            /** @enum {string|null} */
            readonly error: null;
            readonly metadata?: components["schemas"]["ResponseMetadata"];
        };
        /**
         * @description The members of the domain, at least one. A `chainId` must be that of the relayer's network.
         * @example {
         *       "name": "Ether Mail",
         *       "version": "1"
         *     }
         */
        readonly TypedDataDomain: {
            readonly name?: string;
            readonly version?: string;
            readonly chainId?: number | string;
            readonly verifyingContract?: string;
            readonly salt?: string;
        };
        /**
         * @description Each struct that `primaryType` needs, with its members. `EIP712Domain` may be among them.
         * @example {
         *       "Mail": [
         *         {
         *           "name": "contents",
         *           "type": "string"
         *         }
         *       ]
         *     }
         */
        readonly TypedDataTypes: {
            readonly [key: string]: readonly components["schemas"]["TypedDataMemberDto"][];
        };
        readonly LegacyTransaction: {
            readonly type: number | string;
            /** @description From 0 to 18446744073709551614. */
            readonly nonce: number | string;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly gas_price: number | string;
            /** @description From 0 to 18446744073709551615. */
            readonly gas_limit: number | string;
            /** @description Null creates a contract. */
            readonly to: string | null;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly value?: number | string;
            readonly data?: string;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly chain_id: number | string;
        };
        readonly AccessListItem: {
            readonly address: string;
            readonly storage_keys: readonly string[];
        };
        readonly AccessListTransaction: {
            readonly type: number | string;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly chain_id: number | string;
            /** @description From 0 to 18446744073709551614. */
            readonly nonce: number | string;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly gas_price: number | string;
            /** @description From 0 to 18446744073709551615. */
            readonly gas_limit: number | string;
            /** @description Null creates a contract. */
            readonly to: string | null;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly value?: number | string;
            readonly data?: string;
            readonly access_list?: readonly components["schemas"]["AccessListItem"][];
        };
        readonly DynamicFeeTransaction: {
            readonly type: number | string;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly chain_id: number | string;
            /** @description From 0 to 18446744073709551614. */
            readonly nonce: number | string;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly max_priority_fee_per_gas: number | string;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly max_fee_per_gas: number | string;
            /** @description From 0 to 18446744073709551615. */
            readonly gas_limit: number | string;
            /** @description Null creates a contract. */
            readonly to: string | null;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly value?: number | string;
            readonly data?: string;
            readonly access_list?: readonly components["schemas"]["AccessListItem"][];
        };
        readonly Authorization: {
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly chain_id: number | string;
            readonly address: string;
            /** @description From 0 to 18446744073709551614. */
            readonly nonce: number | string;
            /** @description From 0 to 1. */
            readonly y_parity: number | string;
            /** @description An integer from 1 to the order of the curve. */
            readonly r: string;
            /** @description An integer from 1 to half the order of the curve (EIP-2). */
            readonly s: string;
        };
        readonly SetCodeTransaction: {
            readonly type: number | string;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly chain_id: number | string;
            /** @description From 0 to 18446744073709551614. */
            readonly nonce: number | string;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly max_priority_fee_per_gas: number | string;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly max_fee_per_gas: number | string;
            /** @description From 0 to 18446744073709551615. */
            readonly gas_limit: number | string;
            /** @description Null creates a contract. */
            readonly to: string | null;
            /** @description From 0 to 115792089237316195423570985008687907853269984665640564039457584007913129639935. */
            readonly value?: number | string;
            readonly data?: string;
            readonly access_list?: readonly components["schemas"]["AccessListItem"][];
            readonly authorization_list: readonly components["schemas"]["Authorization"][];
        };
        /** @enum {string} */
        readonly NetworkType: "evm" | "solana" | "stellar";
        readonly FieldRange: {
            readonly min?: number | string;
            readonly max?: number | string;
        };
        readonly FieldConstraints: {
            readonly [key: string]: string | number | boolean | readonly (string | number | boolean)[] | components["schemas"]["FieldRange"];
        };
        readonly DisabledReason: {
            readonly type: string;
            /** @description A fixed text; for `Multiple` the reasons. */
            readonly details: string | readonly components["schemas"]["DisabledReason"][];
        };
        readonly TransactionSignature: {
            readonly r: string;
            readonly s: string;
            readonly sig: string;
            /** @description 27 or 28 for transactions of type 0 and 1, otherwise the parity: 0 or 1. */
            readonly v: number;
        };
        /** @enum {string} */
        readonly Speed: "safeLow" | "average" | "fast" | "fastest";
        readonly TransactionMetadata: {
            readonly [key: string]: string;
        };
        /** @enum {string} */
        readonly Scope: "relayers:read" | "relayers:write" | "relayers:pause" | "sign:typed-data" | "sign:messages" | "sign:transactions" | "transactions:read" | "transactions:write" | "rpc" | "notifications:read" | "notifications:write" | "signers:read" | "signers:write" | "networks:read" | "networks:write" | "api-keys:manage" | "audit:read" | "freeze" | "approve" | "metrics:read" | "*" | `${string}.${string}`;
    };
    responses: {
        /** @description Bad Request */
        readonly BadRequest: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "data": null,
                 *       "error": "Bad Request",
                 *       "message": "Bad Request"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Forbidden */
        readonly Forbidden: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "data": null,
                 *       "error": "Forbidden",
                 *       "message": "Forbidden"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Internal Server Error */
        readonly InternalServerError: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "data": null,
                 *       "error": "Internal Server Error",
                 *       "message": "Internal Server Error"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Not Found */
        readonly NotFound: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "data": null,
                 *       "error": "Not Found",
                 *       "message": "Not Found"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Payload Too Large */
        readonly PayloadTooLarge: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "data": null,
                 *       "error": "Payload Too Large",
                 *       "message": "Payload Too Large"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Service Unavailable */
        readonly ServiceUnavailable: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "data": null,
                 *       "error": "Service Unavailable",
                 *       "message": "Service Unavailable"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Too Many Requests */
        readonly TooManyRequests: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "data": null,
                 *       "error": "Too Many Requests",
                 *       "message": "Too Many Requests"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Unauthorized */
        readonly Unauthorized: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "data": null,
                 *       "error": "Unauthorized",
                 *       "message": "Unauthorized"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Unsupported Media Type */
        readonly UnsupportedMediaType: {
            headers: {
                readonly "X-Request-Id": components["headers"]["RequestId"];
                readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "data": null,
                 *       "error": "Unsupported Media Type",
                 *       "message": "Unsupported Media Type"
                 *     }
                 */
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /** @description What was done, such as `signature.create`. */
        readonly Action: string;
        /** @description The id of a change, a UUID. */
        readonly ChangeId: string;
        /**
         * @description Pages by cursor, which costs the same anywhere in the list and misses nothing when rows are added or deleted. Empty for the first
         *     page, then the `next_cursor` of the previous response. Not together with `page`.
         */
        readonly Cursor: string;
        /** @description The id of a delivery, a UUID. */
        readonly DeliveryId: string;
        /** @description 1 to 255 visible ASCII characters. A repeated request with the same key returns the first record. */
        readonly IdempotencyKey: string;
        /** @description The id of an API key, not the key itself. */
        readonly KeyId: string;
        /**
         * @description The id of a network: its type and its name.
         * @example evm:sepolia
         */
        readonly NetworkId: string;
        /**
         * @description The id of a notification.
         * @example ops-webhook
         */
        readonly NotificationId: string;
        /** @description Starts at 1; 0 means 1. */
        readonly Page: number;
        /** @description Items on a page; 0 returns an empty list with the true total. */
        readonly PerPage: number;
        /**
         * @description The id of a relayer.
         * @example demo
         */
        readonly RelayerId: string;
        /**
         * @description The id of a signer.
         * @example demo
         */
        readonly SignerId: string;
        /** @description Recorded at this time or later. */
        readonly Since: string;
        /** @description The id of a transaction, a UUID. */
        readonly TransactionId: string;
        /** @description Recorded before this time. */
        readonly Until: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request, as in the log: the one that the client sent, if it is well formed. */
        readonly RequestId: string;
        /** @description How to authenticate. */
        readonly WwwAuthenticate: string;
        /** @description After how many seconds to retry; absent if not known. */
        readonly RetryAfter: number;
        /** @description Requests that may be sent at once; absent if the URL is malformed. */
        readonly RateLimitLimit: number;
        /** @description How many of these requests are left. */
        readonly RateLimitRemaining: number;
        /** @description Seconds until the whole allowance is back. */
        readonly RateLimitReset: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly signTypedData: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TypedDataHashesDto"] | components["schemas"]["FullTypedDataDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignatureEnvelope"];
                };
            };
        };
    };
    readonly signTypedDataBatch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignTypedDataBatchDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchItemList"];
                };
            };
        };
    };
    readonly sign: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignMessageDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignatureEnvelope"];
                };
            };
        };
    };
    readonly signTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignTransactionDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignedTransactionEnvelope"];
                };
            };
        };
    };
    readonly listMetrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The names, or the exposition */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": readonly string[];
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly metricDetail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The name of a metric.
                 * @example http_requests_total
                 */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The exposition */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly scrapeMetrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The exposition */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly listSigners: {
        readonly parameters: {
            readonly query?: {
                /** @description Starts at 1; 0 means 1. */
                readonly page?: components["parameters"]["Page"];
                /** @description Items on a page; 0 returns an empty list with the true total. */
                readonly per_page?: components["parameters"]["PerPage"];
                /**
                 * @description Pages by cursor, which costs the same anywhere in the list and misses nothing when rows are added or deleted. Empty for the first
                 *     page, then the `next_cursor` of the previous response. Not together with `page`.
                 */
                readonly cursor?: components["parameters"]["Cursor"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignerPage"];
                };
            };
        };
    };
    readonly createSigner: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateSignerDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignerEnvelope"];
                };
            };
        };
    };
    readonly getSigner: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a signer.
                 * @example demo
                 */
                readonly signer_id: components["parameters"]["SignerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignerEnvelope"];
                };
            };
        };
    };
    readonly deleteSigner: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a signer.
                 * @example demo
                 */
                readonly signer_id: components["parameters"]["SignerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": "Signer deleted successfully",
                     *       "error": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TextEnvelope"];
                };
            };
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangeEnvelope"];
                };
            };
        };
    };
    readonly updateSigner: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a signer.
                 * @example demo
                 */
                readonly signer_id: components["parameters"]["SignerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": Record<string, never>;
            };
        };
        readonly responses: never;
    };
    readonly listNotifications: {
        readonly parameters: {
            readonly query?: {
                /** @description Starts at 1; 0 means 1. */
                readonly page?: components["parameters"]["Page"];
                /** @description Items on a page; 0 returns an empty list with the true total. */
                readonly per_page?: components["parameters"]["PerPage"];
                /**
                 * @description Pages by cursor, which costs the same anywhere in the list and misses nothing when rows are added or deleted. Empty for the first
                 *     page, then the `next_cursor` of the previous response. Not together with `page`.
                 */
                readonly cursor?: components["parameters"]["Cursor"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationPage"];
                };
            };
        };
    };
    readonly createNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateNotificationDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationEnvelope"];
                };
            };
        };
    };
    readonly getNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a notification.
                 * @example ops-webhook
                 */
                readonly notification_id: components["parameters"]["NotificationId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationEnvelope"];
                };
            };
        };
    };
    readonly deleteNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a notification.
                 * @example ops-webhook
                 */
                readonly notification_id: components["parameters"]["NotificationId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": "Notification deleted successfully",
                     *       "error": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TextEnvelope"];
                };
            };
        };
    };
    readonly updateNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a notification.
                 * @example ops-webhook
                 */
                readonly notification_id: components["parameters"]["NotificationId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateNotificationDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationEnvelope"];
                };
            };
        };
    };
    readonly listDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description Deliveries in this state only. */
                readonly state?: string;
                /** @description Deliveries of this event only. */
                readonly event?: components["schemas"]["NotificationEvent"];
                /** @description Created at this time (RFC 3339) or later. */
                readonly since?: string;
                /** @description Created before this time (RFC 3339). */
                readonly until?: string;
                /** @description The `next_cursor` of the previous response, with the same filters; empty for the first page. */
                readonly cursor?: string;
                /** @description Items of the page. */
                readonly per_page?: number;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a notification.
                 * @example ops-webhook
                 */
                readonly notification_id: components["parameters"]["NotificationId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeliveryPage"];
                };
            };
        };
    };
    readonly getDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a notification.
                 * @example ops-webhook
                 */
                readonly notification_id: components["parameters"]["NotificationId"];
                /** @description The id of a delivery, a UUID. */
                readonly delivery_id: components["parameters"]["DeliveryId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeliveryEnvelope"];
                };
            };
        };
    };
    readonly replayDeadDeliveries: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a notification.
                 * @example ops-webhook
                 */
                readonly notification_id: components["parameters"]["NotificationId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ReplayDeliveriesDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReplayedEnvelope"];
                };
            };
        };
    };
    readonly replayDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a notification.
                 * @example ops-webhook
                 */
                readonly notification_id: components["parameters"]["NotificationId"];
                /** @description The id of a delivery, a UUID. */
                readonly delivery_id: components["parameters"]["DeliveryId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeliveryEnvelope"];
                };
            };
        };
    };
    readonly testNotification: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a notification.
                 * @example ops-webhook
                 */
                readonly notification_id: components["parameters"]["NotificationId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeliveryEnvelope"];
                };
            };
        };
    };
    readonly listNetworks: {
        readonly parameters: {
            readonly query?: {
                /** @description Starts at 1; 0 means 1. */
                readonly page?: components["parameters"]["Page"];
                /** @description Items on a page; 0 returns an empty list with the true total. */
                readonly per_page?: components["parameters"]["PerPage"];
                /**
                 * @description Pages by cursor, which costs the same anywhere in the list and misses nothing when rows are added or deleted. Empty for the first
                 *     page, then the `next_cursor` of the previous response. Not together with `page`.
                 */
                readonly cursor?: components["parameters"]["Cursor"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NetworkPage"];
                };
            };
        };
    };
    readonly createNetwork: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateNetworkDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NetworkEnvelope"];
                };
            };
        };
    };
    readonly getNetwork: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a network: its type and its name.
                 * @example evm:sepolia
                 */
                readonly network_id: components["parameters"]["NetworkId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NetworkEnvelope"];
                };
            };
        };
    };
    readonly deleteNetwork: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a network: its type and its name.
                 * @example evm:sepolia
                 */
                readonly network_id: components["parameters"]["NetworkId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": "Network deleted successfully",
                     *       "error": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TextEnvelope"];
                };
            };
        };
    };
    readonly updateNetwork: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a network: its type and its name.
                 * @example evm:sepolia
                 */
                readonly network_id: components["parameters"]["NetworkId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateNetworkDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NetworkEnvelope"];
                };
            };
        };
    };
    readonly listRelayers: {
        readonly parameters: {
            readonly query?: {
                /** @description Starts at 1; 0 means 1. */
                readonly page?: components["parameters"]["Page"];
                /** @description Items on a page; 0 returns an empty list with the true total. */
                readonly per_page?: components["parameters"]["PerPage"];
                /**
                 * @description Pages by cursor, which costs the same anywhere in the list and misses nothing when rows are added or deleted. Empty for the first
                 *     page, then the `next_cursor` of the previous response. Not together with `page`.
                 */
                readonly cursor?: components["parameters"]["Cursor"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RelayerPage"];
                };
            };
        };
    };
    readonly createRelayer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateRelayerDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RelayerEnvelope"];
                };
            };
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangeEnvelope"];
                };
            };
        };
    };
    readonly getRelayer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RelayerEnvelope"];
                };
            };
        };
    };
    readonly deleteRelayer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": "Relayer deleted successfully",
                     *       "error": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TextEnvelope"];
                };
            };
        };
    };
    readonly updateRelayer: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateRelayerDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RelayerEnvelope"];
                };
            };
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangeEnvelope"];
                };
            };
        };
    };
    readonly getRelayerBalance: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RelayerBalanceEnvelope"];
                };
            };
        };
    };
    readonly rpc: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RpcCall"] | readonly components["schemas"]["RpcCall"][];
            };
        };
        readonly responses: {
            /** @description The node's response */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RpcResult"] | readonly components["schemas"]["RpcResult"][];
                };
            };
        };
    };
    readonly listTransactions: {
        readonly parameters: {
            readonly query?: {
                /** @description Starts at 1; 0 means 1. */
                readonly page?: components["parameters"]["Page"];
                /** @description Items on a page; 0 returns an empty list with the true total. */
                readonly per_page?: components["parameters"]["PerPage"];
                /**
                 * @description Pages by cursor, which costs the same anywhere in the list and misses nothing when rows are added or deleted. Empty for the first
                 *     page, then the `next_cursor` of the previous response. Not together with `page`.
                 */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Case does not matter. */
                readonly status?: components["schemas"]["TransactionStatus"];
                /** @description Accepted at this time or later. */
                readonly created_after?: string;
                /** @description Accepted before this time. */
                readonly created_before?: string;
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TransactionPage"];
                };
            };
        };
    };
    readonly sendTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description 1 to 255 visible ASCII characters. A repeated request with the same key returns the first record. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TransactionRequestDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangeEnvelope"];
                };
            };
        };
    };
    readonly sendTransactionBatch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description 1 to 255 visible ASCII characters. A repeated request with the same key returns the first record. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TransactionBatchDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TransactionBatchItemList"];
                };
            };
        };
    };
    readonly deletePendingTransactions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CanceledTransactionsEnvelope"];
                };
            };
        };
    };
    readonly getTransactionByNonce: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
                /**
                 * @description A nonce of the account.
                 * @example 0
                 */
                readonly nonce: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    readonly getTransactionById: {
        readonly parameters: {
            readonly query?: {
                /** @description In seconds. */
                readonly timeout?: number;
                /** @description The status to wait for. */
                readonly wait?: components["schemas"]["TransactionStatus"];
            };
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
                /** @description The id of a transaction, a UUID. */
                readonly transaction_id: components["parameters"]["TransactionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    readonly replaceTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
                /** @description The id of a transaction, a UUID. */
                readonly transaction_id: components["parameters"]["TransactionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TransactionRequestDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    readonly cancelTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
                /** @description The id of a transaction, a UUID. */
                readonly transaction_id: components["parameters"]["TransactionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TransactionEnvelope"];
                };
            };
        };
    };
    readonly listTransactionAttempts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
                /** @description The id of a transaction, a UUID. */
                readonly transaction_id: components["parameters"]["TransactionId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TransactionAttemptList"];
                };
            };
        };
    };
    readonly getRelayerStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RelayerStatusEnvelope"];
                };
            };
        };
    };
    readonly syncRelayerNonce: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /**
                 * @description The id of a relayer.
                 * @example demo
                 */
                readonly relayer_id: components["parameters"]["RelayerId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NonceReportEnvelope"];
                };
            };
        };
    };
    readonly getSigningFreeze: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SigningFreezeEnvelope"];
                };
            };
        };
    };
    readonly freezeSigning: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["FreezeSigningDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SigningFreezeEnvelope"];
                };
            };
        };
    };
    readonly unfreezeSigning: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["UnfreezeSigningDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SigningFreezeEnvelope"];
                };
            };
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangeEnvelope"];
                };
            };
        };
    };
    readonly listAuditEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description What was done, such as `signature.create`. */
                readonly action?: components["parameters"]["Action"];
                /** @description Events that concern this relayer. */
                readonly relayer_id?: string;
                /** @description `root` for the root key. */
                readonly key_id?: string;
                /** @description Recorded at this time or later. */
                readonly since?: components["parameters"]["Since"];
                /** @description Recorded before this time. */
                readonly until?: components["parameters"]["Until"];
                /** @description Items of the page. */
                readonly per_page?: number;
                /** @description Empty or left out for the first page, then the `next_cursor` of the previous response. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditEventPage"];
                };
            };
        };
    };
    readonly exportAuditEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description What was done, such as `signature.create`. */
                readonly action?: components["parameters"]["Action"];
                /** @description Events that concern this relayer. */
                readonly relayer_id?: string;
                /** @description `root` for the root key. */
                readonly key_id?: string;
                /** @description Recorded at this time or later. */
                readonly since?: components["parameters"]["Since"];
                /** @description Recorded before this time. */
                readonly until?: components["parameters"]["Until"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An event on each line */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/x-ndjson": string;
                };
            };
        };
    };
    readonly listChanges: {
        readonly parameters: {
            readonly query?: {
                /** @description Starts at 1; 0 means 1. */
                readonly page?: components["parameters"]["Page"];
                /** @description Items on a page; 0 returns an empty list with the true total. */
                readonly per_page?: components["parameters"]["PerPage"];
                /**
                 * @description Pages by cursor, which costs the same anywhere in the list and misses nothing when rows are added or deleted. Empty for the first
                 *     page, then the `next_cursor` of the previous response. Not together with `page`.
                 */
                readonly cursor?: components["parameters"]["Cursor"];
                /** @description Changes in this state only. */
                readonly status?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangePage"];
                };
            };
        };
    };
    readonly getChange: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of a change, a UUID. */
                readonly change_id: components["parameters"]["ChangeId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangeEnvelope"];
                };
            };
        };
    };
    readonly approveChange: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of a change, a UUID. */
                readonly change_id: components["parameters"]["ChangeId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangeEnvelope"];
                };
            };
        };
    };
    readonly rejectChange: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of a change, a UUID. */
                readonly change_id: components["parameters"]["ChangeId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangeEnvelope"];
                };
            };
        };
    };
    readonly listApiKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description Starts at 1; 0 means 1. */
                readonly page?: components["parameters"]["Page"];
                /** @description Items on a page; 0 returns an empty list with the true total. */
                readonly per_page?: components["parameters"]["PerPage"];
                /**
                 * @description Pages by cursor, which costs the same anywhere in the list and misses nothing when rows are added or deleted. Empty for the first
                 *     page, then the `next_cursor` of the previous response. Not together with `page`.
                 */
                readonly cursor?: components["parameters"]["Cursor"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
        };
    };
    readonly createApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateApiKeyDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKeyEnvelope"];
                };
            };
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangeEnvelope"];
                };
            };
        };
    };
    readonly getApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of an API key, not the key itself. */
                readonly key_id: components["parameters"]["KeyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKeyEnvelope"];
                };
            };
        };
    };
    readonly deleteApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of an API key, not the key itself. */
                readonly key_id: components["parameters"]["KeyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": "Api key deleted successfully",
                     *       "error": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["TextEnvelope"];
                };
            };
        };
    };
    readonly updateApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of an API key, not the key itself. */
                readonly key_id: components["parameters"]["KeyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateApiKeyDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKeyEnvelope"];
                };
            };
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangeEnvelope"];
                };
            };
        };
    };
    readonly rotateApiKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of an API key, not the key itself. */
                readonly key_id: components["parameters"]["KeyId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RotateApiKeyDto"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKeyEnvelope"];
                };
            };
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    readonly "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    readonly "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PendingChangeEnvelope"];
                };
            };
        };
    };
    readonly getLiveness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The process responds */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly health: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The process responds */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly getReadiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Every component is up; only Redis may be degraded */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReadinessResponse"];
                };
            };
        };
    };
    readonly readiness: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReadinessEnvelope"];
                };
            };
        };
    };
}
