import { currentPrincipal, type Principal, ROOT } from '../access/principal';
import { currentRequest, outsideRequests, runWithRequest } from '../common/http/request-context';
import { applyAs, approvedChange } from './approved-change';

const CHANGE = { id: 'change', approvedBy: 'approver', isApplied: false };
const REQUESTER: Principal = { ...ROOT, id: 'requester', kind: 'api_key' };

describe('A change that is being applied', () => {
  const inRequest = (work: () => void): void => {
    runWithRequest('id', () => {
      const request = currentRequest();
      if (request) request.principal = ROOT;
      work();
    });
  };

  it('is that of the work that applies it, as its requester, and of nothing after it', () => {
    expect.assertions(4);
    inRequest(() => {
      applyAs(REQUESTER, CHANGE, () => {
        expect(approvedChange()).toBe(CHANGE);
        expect(currentPrincipal()).toBe(REQUESTER);
      });
      expect(approvedChange()).toBeUndefined();
      expect(currentPrincipal()).toBe(ROOT);
    });
  });

  it('is not that of work which it only sets off', () => {
    expect.assertions(1);
    inRequest(() => {
      applyAs(REQUESTER, CHANGE, () => {
        outsideRequests(() => {
          expect(approvedChange()).toBeUndefined();
        });
      });
    });
  });
});
