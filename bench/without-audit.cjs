/** Loaded into the service before it starts, to disable the audit log. */
require('reflect-metadata');
const { join } = require('node:path');

const { AuditLog } = require(join(process.argv[1], '../audit/audit-log.js'));
AuditLog.prototype.recordAll = () => Promise.resolve();
