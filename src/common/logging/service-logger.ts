import { inspect } from 'node:util';
import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import { currentRequest } from '../http/request-context';
import type { Secret } from '../secrets/secret';
import { currentTrace } from '../tracing/spans';
import { LineBuffer } from './line-buffer';

/** The level and format of the log. */
export interface LogSettings {
  level: LogLevel;
  format: 'json' | 'pretty';
}

type JsonOptions = Parameters<ConsoleLogger['getJsonLogObject']>[1];

/** Redacting shorter secrets would hide ordinary words. */
const MIN_REDACTED_LENGTH = 8;

const MAX_SHORT_LENGTH = 256;

const LEVELS: LogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

const levelsFrom = (level: LogLevel): LogLevel[] => LEVELS.slice(0, LEVELS.indexOf(level) + 1);

/** Contexts in which the framework logs its own startup. */
const FRAMEWORK_CONTEXTS = new Set<unknown>([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);

/** The context in which the framework logs an error that it then throws: who created the application reports it. */
const FAILED_CREATION = 'ExceptionHandler';

/** Lines about requests are not urgent, and there may be thousands per second. */
const requestLines = new LineBuffer((lines) => process.stdout.write(lines));
process.once('exit', requestLines.flush);
const BUFFERED_LEVELS = new Set<LogLevel>(['log', 'debug', 'verbose']);

/**
 * Logs one line per event: JSON for machines, text for people, with colours on a terminal. Every line of a request
 * contains its id, trace, API key and relayer; every line of background work contains the trace that it continues.
 * Callers pass a sentence and named fields, but never bodies, headers or tokens. As a second line of defence, the
 * configured secrets are redacted from every line.
 */
export class ServiceLogger extends ConsoleLogger {
  readonly #secrets: string[];

  constructor(settings: LogSettings, secrets: Secret[]) {
    super({
      json: settings.format === 'json',
      flattenParams: true,
      logLevels: levelsFrom(settings.level),
      prefix: 'Relayer',
      compact: true,
      colors: settings.format === 'pretty' && canShowColors(),
    });
    this.#secrets = secrets.flatMap((secret) => spellings(secret.reveal()));
  }

  /** Sets the minimum level of the lines to log. */
  changeLevel(level: LogLevel): void {
    this.setLogLevels(levelsFrom(level));
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (FRAMEWORK_CONTEXTS.has(rest.at(-1))) this.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) === FAILED_CREATION) this.debug(message, ...rest);
    else super.error(message, ...rest);
  }

  protected override getTimestamp(): string {
    return new Date().toISOString();
  }

  protected override printAsJson(message: unknown, options: JsonOptions): void {
    const line = this.stringifyJsonLogObject(this.getJsonLogObject(message, options));
    if (BUFFERED_LEVELS.has(options.logLevel) && currentRequest()) {
      requestLines.add(line);
      return;
    }
    requestLines.flush();
    process[options.writeStreamType ?? 'stdout'].write(`${line}\n`);
  }

  protected override getJsonLogObject(
    message: unknown,
    options: JsonOptions,
  ): ReturnType<ConsoleLogger['getJsonLogObject']> {
    const line = super.getJsonLogObject(message, options) as Record<string, unknown>;
    line.timestamp = new Date(line.timestamp as number).toISOString();
    if (line.level === 'log') line.level = 'info';
    return Object.assign(line, fieldsOfContext()) as never;
  }

  protected override stringifyJsonLogObject(line: object): string {
    const text = Object.values(line).every(isShort)
      ? JSON.stringify(line)
      : super.stringifyJsonLogObject(line as never);
    return this.withoutSecrets(text);
  }

  protected override formatMessage(...parts: Parameters<ConsoleLogger['formatMessage']>): string {
    const text = super.formatMessage(...parts);
    const fields = Object.entries(fieldsOfContext()).map(([name, value]) => ` ${name}=${value}`);
    return this.withoutSecrets(fields.length > 0 ? `${text.trimEnd()}${fields.join('')}\n` : text);
  }

  protected override stringifyMessage(message: unknown, level: LogLevel): string {
    return super.stringifyMessage(typeof message === 'string' ? escaped(message) : message, level);
  }

  private withoutSecrets(text: string): string {
    return this.#secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text);
  }
}

/** Warnings and errors go to standard error, which may be a file while standard output is a terminal. */
const canShowColors = (): boolean =>
  [process.stdout, process.stderr].every(({ isTTY }) => isTTY) && (process.env.NO_COLOR ?? '') === '';

/**
 * The fields in every line of a request: its id, its trace and, once known, its API key and the relayer in its path.
 */
function fieldsOfContext(): Record<string, string> {
  const request = currentRequest();
  const trace = currentTrace();
  // Does not use spread syntax, see docs/adr/0019.
  const fields: Record<string, string> = {};
  if (request) fields.request_id = request.id;
  if (trace) fields.trace_id = trace.traceId;
  if (request?.keyId !== undefined) fields.key_id = request.keyId;
  if (request?.relayerId !== undefined) fields.relayer_id = request.relayerId;
  return fields;
}

/** Whether a value can be serialised without the framework's handling of nested, circular and large values. */
function isShort(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= MAX_SHORT_LENGTH);
}

/** Escapes control characters, with which a client's input could forge log lines or control the terminal. */
const escaped = (text: string): string =>
  text.replace(/\p{Cc}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The forms of a text in plain lines, in JSON and in inspected values, where quotes and backslashes are escaped. */
function spellings(text: string): string[] {
  if (text.length < MIN_REDACTED_LENGTH) return [];
  return [...new Set([text, JSON.stringify(text).slice(1, -1), inspect(text).slice(1, -1)])];
}
