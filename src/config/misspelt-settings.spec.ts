import { SETTINGS } from './settings';
import { misspeltSettings } from './misspelt-settings';

describe('misspeltSettings', () => {
  it.each([
    ['APROVALS', 'APPROVALS'],
    ['APPROVAL', 'APPROVALS'],
    ['APPORVALS', 'APPROVALS'],
    ['approvals', 'APPROVALS'],
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['API_KEYS', 'API_KEY'],
    ['APIKEY', 'API_KEY'],
    ['API_KEY_FIL', 'API_KEY_FILE'],
    ['DATABASE-URL', 'DATABASE_URL'],
  ])('finds %s, which is probably %s', (name, meant) => {
    expect(misspeltSettings({ [name]: 'x' })).toEqual([{ name, meant }]);
  });

  it.each([
    'PATH',
    'HOME',
    'HOSTS',
    'POT',
    'AWS_REGION',
    'HOSTNAME',
    'LANGUAGE',
    'KUBERNETES_PORT',
    'TELEMETRY',
  ])('does not take %s for a setting', (name) => {
    expect(misspeltSettings({ [name]: 'x' })).toEqual([]);
  });

  it('leaves settings, blank values, and names beside the setting itself', () => {
    const all = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']));
    expect(misspeltSettings({ ...all, APROVALS: ' ' })).toEqual([]);
    expect(misspeltSettings({ LOG_LEVEL: 'info', LOG_LEVELS: 'x' })).toEqual([]);
  });

  it('does not take the name of one setting for another', () => {
    for (const name of Object.keys(SETTINGS)) expect(misspeltSettings({ [name]: 'x' })).toEqual([]);
  });
});
