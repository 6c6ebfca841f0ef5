import { DomainError } from './domain-error';
import { causeOf } from './error-cause';

describe('causeOf', () => {
  it.each<[string, unknown]>([
    ['no', new Error('no')],
    ['ECONNREFUSED', Object.assign(new Error(''), { code: 'ECONNREFUSED' })],
    ['RangeError', new RangeError()],
    ['string', 'a text, which may contain anything'],
    [
      'the database file is gone',
      new DomainError('unavailable', 'Service Unavailable', 'the database file is gone'),
    ],
    ['Service Unavailable', new DomainError('unavailable', 'Service Unavailable')],
  ])('is %j', (text, error) => {
    expect(causeOf(error)).toBe(text);
  });
});
