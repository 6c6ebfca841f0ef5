import { isLate } from '../access/ongoing-access';
import { currentPrincipal, type Principal, ROOT } from '../access/principal';
import { currentRequest, outsideRequests, runWithRequest } from '../common/http/request-context';
import { applyAs, approvedChange } from './approved-change';

const CHANGE = { id: 'change', approvedBy: 'approver', scope: 'relayers:write' as const, isApplied: false };
const REQUESTER: Principal = { ...ROOT, id: 'requester', kind: 'api_key' };

describe('applyAs', () => {
  const inRequest = (work: () => void): void => {
    runWithRequest('id', () => {
      const request = currentRequest();
      if (request) request.principal = ROOT;
      work();
    });
  };

  it('sets the change and its requester for the given work only', () => {
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

  it('makes the work read the rights of the requester again, even if those of the approver were just read', () => {
    expect.assertions(2);
    inRequest(() => {
      const request = currentRequest();
      if (request) request.principalReadAt = performance.now();
      applyAs(REQUESTER, CHANGE, () => {
        const context = currentRequest();
        expect(context && isLate(context)).toBe(true);
      });
      expect(request?.principalReadAt).toBeGreaterThan(0);
    });
  });

  it('does not set the change for work that continues outside the request', () => {
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
