import { resolve } from 'node:path';
import { parseDatabaseUrl } from '../config/database-url';
import { placeOf } from './data-source';

describe('The place of a database', () => {
  it.each([
    ['sqlite:data/relayer.sqlite', resolve('data/relayer.sqlite')],
    ['sqlite:/var/lib/relayer.sqlite', '/var/lib/relayer.sqlite'],
    ['sqlite::memory:', ':memory:'],
    ['mysql://us%65r:p%40ss@db.example.com/relayer', 'db.example.com:3306/relayer'],
    ['mariadb://user:pass@[fd00::1]:3307/relayer?tls=verify-ca', '[fd00::1]:3307/relayer'],
  ])('%s has no credentials', (url, place) => {
    expect(placeOf(parseDatabaseUrl(url))).toBe(place);
  });
});
