import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { Logger } from '@nestjs/common';
import { keepInspectorClosed } from '../app/inspector';
import { STORED_CONTENT } from '../app/stored-content';
import { SERVICE_VERSION } from '../common/service-version';
import { ConfigurationError } from '../config/configuration-error';
import { processEnvironment } from '../config/env-file';
import { forgetProxies } from '../config/forget-variables';
import { examine } from '../doctor/examination';
import { reportAsJson, reportAsText } from '../doctor/report';
import { consoleOutput, runCommand } from './run-command';

const USAGE = 'Usage: npm run doctor [-- --json]';

/** Examines the installation. The exit code is 1 if anything prevents the service from working. */
runCommand('Doctor', async () => {
  const json = parsed(process.argv.slice(2));
  const environment = processEnvironment();
  keepInspectorClosed(environment);
  forgetProxies();
  // The log is off: the findings contain everything relevant, in a form that is safe to show.
  Logger.overrideLogger(false);
  const findings = await examine(environment, STORED_CONTENT);
  consoleOutput.print(json ? reportAsJson(findings, SERVICE_VERSION) : reportAsText(findings));
  return findings.every(({ status }) => status !== 'problem');
});

/** Whether JSON is requested. @throws ConfigurationError */
function parsed(args: string[]): boolean {
  try {
    return parseArgs({ args, options: { json: { type: 'boolean', default: false } } }).values.json;
  } catch {
    throw new ConfigurationError([USAGE]);
  }
}
