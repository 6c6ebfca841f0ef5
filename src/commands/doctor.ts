import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { keepInspectorClosed } from '../app/inspector';
import { STORED_CONTENT } from '../app/stored-content';
import { SERVICE_VERSION } from '../common/service-version';
import { processEnvironment } from '../config/env-file';
import { forgetUnverifiedTls } from '../config/forget-variables';
import { useNoProxies } from '../config/no-proxies';
import { examine } from '../doctor/examination';
import { reportAsJson, reportAsText } from '../doctor/report';
import { readArguments } from './arguments';
import { consoleOutput, runCommand } from './run-command';

const USAGE = 'Usage: npm run doctor [-- --json]';
const OPTIONS = { json: { type: 'boolean', default: false } } as const;

/** Examines the installation. The exit code is 1 if anything prevents the service from working. */
runCommand('Doctor', USAGE, async () => {
  const { json } = readArguments(USAGE, { options: OPTIONS }).values;
  const environment = processEnvironment();
  keepInspectorClosed(environment);
  useNoProxies();
  forgetUnverifiedTls();
  // The log is off: the findings contain everything relevant, in a form that is safe to show.
  Logger.overrideLogger(false);
  const findings = await examine(environment, STORED_CONTENT);
  consoleOutput.print(json ? reportAsJson(findings, SERVICE_VERSION) : reportAsText(findings));
  return findings.every(({ status }) => status !== 'problem');
});
