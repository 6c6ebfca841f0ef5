/**
 * Charges a bucket by the generic cell rate algorithm, as TokenBucketStorage does, on Redis' clock.
 *
 * A bucket is the text `<used> <at>`: how many requests of its allowance were used at a moment of that clock, in
 * microseconds. The two numbers are stored separately, because their sum would need more digits than a double has. If
 * the clock is set back, nothing is refilled, and from then on the new time counts. A key that holds anything else, which
 * this service did not write, counts as a full allowance and is replaced: an error would be taken for an outage.
 *
 * KEYS[1]: the bucket. ARGV: the microseconds that regain one request, the size of the allowance, cost, required, the
 * share of one request by which rounding may overdraw. Returns, as strings, the number of used requests and the number
 * of missing requests; if any are missing, nothing was taken.
 */
export const CHARGE_LUA = `
local refill, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local cost, required, rounding = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local used = 0
local bucket = redis.pcall('GET', KEYS[1])
if type(bucket) == 'table' and not string.find(bucket.err or '', 'WRONGTYPE', 1, true) then
  return bucket
end
if type(bucket) == 'string' then
  local before, at = string.match(bucket, '^(%d%S*) (%d+)$')
  before = tonumber(before)
  if before and before < math.huge then
    used = math.max(0, before - math.max(0, now - tonumber(at)) / refill)
  end
end

local shortage = used + required - limit
if shortage <= rounding then
  used = used + cost
  shortage = 0
end
if used > 0 then
  local expiry = math.ceil(used * refill / 1000) + 1000
  redis.call('SET', KEYS[1], string.format('%.17g %.0f', used, now), 'PX', string.format('%.0f', expiry))
end
return { string.format('%.17g', used), string.format('%.17g', shortage) }
`;
