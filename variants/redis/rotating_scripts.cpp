#include "variants/redis/rotating_scripts.hpp"

namespace bloometry::rotating_scripts {
namespace {

constexpr const char* kCreate = R"(
if redis.call('TYPE', KEYS[1]).ok == 'hash' and redis.call('HGET', KEYS[1], 'version') == ARGV[1] then
  return 1
end
if redis.call('EXISTS', unpack(KEYS)) > 0 then return 0 end
redis.call('HSET', KEYS[1], 'updates', '0', 'created', '', 'state_checksum', redis.sha1hex('0;'),
           unpack(ARGV, 2))
return 1
)";

/// Reads the time, the parameters and the state. Defines `live`, the list of the generations that
/// have not expired, newest first.
constexpr const char* kRead = R"(
local num_generations, generation_ms = tonumber(ARGV[1]), tonumber(ARGV[2])
local num_bytes, num_hashes = tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local flat = redis.call('HGETALL', KEYS[1])
local fields = {}
for i = 1, #flat, 2 do fields[flat[i]] = flat[i + 1] end
local function checksum(updates, created) return redis.sha1hex(updates .. ';' .. created) end
local is_intact = fields.updates and fields.created and
                  checksum(fields.updates, fields.created) == fields.state_checksum

local newest
local live = {}
local function add(number, inserts)
  newest = {number = number, inserts = inserts, string = KEYS[2 + number % num_generations]}
  if (number + num_generations) * generation_ms > now then table.insert(live, 1, newest) end
end
if is_intact then
  for number, inserts in string.gmatch(fields.created, '(%d+):(%d+)') do
    add(tonumber(number), tonumber(inserts))
  end
end
local lengths = {}
for i = 1, #live do lengths[i] = redis.call('STRLEN', live[i].string) end

local function contains(generation, first)
  for i = first, first + num_hashes - 1 do
    if redis.call('GETBIT', generation.string, ARGV[i]) == 0 then return false end
  end
  return true
end
local function any_contains(first)
  for i = 1, #live do
    if contains(live[i], first) then return true end
  end
  return false
end
)";

constexpr const char* kQuery = R"(
local answers = {}
for key = 5, #ARGV, num_hashes do
  answers[#answers + 1] = any_contains(key) and '1' or '0'
end
return {now, flat, is_intact and 1 or 0, lengths, table.concat(answers)}
)";

constexpr const char* kCount = R"(
local ones = {}
for i = 1, #live do ones[i] = redis.call('BITCOUNT', live[i].string) end
return {now, flat, is_intact and 1 or 0, lengths, ones}
)";

constexpr const char* kInsert = R"(
local client, call, reply_ms = ARGV[5], ARGV[6], tonumber(ARGV[7])
local num_fields = tonumber(ARGV[10])
local first = 11 + 2 * num_fields
if not is_intact or #flat ~= 2 * (num_fields + 3) then return {} end
for i = 11, first - 1, 2 do
  if fields[ARGV[i]] ~= ARGV[i + 1] then return {} end
end
local updates = tonumber(fields.updates)
if updates < tonumber(ARGV[8]) then return {} end
if (newest and newest.number or 0) < tonumber(ARGV[9]) then return {} end
for i = 1, #live do
  if lengths[i] ~= num_bytes then return {} end
end

local replies = {KEYS[2 + num_generations], KEYS[3 + num_generations]}
if call ~= '0' then
  for i = 1, 2 do
    local reply = redis.call('HGET', replies[i], client)
    local number, answers = string.match(reply or '', '^(%d+) ([01]*)$')
    if number == call then return {updates, newest.number, answers} end
  end
end

-- The first write must be one that Redis refuses when its memory is full.
redis.call('HSET', KEYS[1], 'version', fields.version)
if #ARGV < first then return {updates, newest and newest.number or 0, ''} end

-- The clock may have been set back. The number of the newest generation never decreases.
local number = math.max(math.floor(now / generation_ms), newest and newest.number or 0)
if not newest or newest.number < number then
  add(number, 0)
  redis.call('UNLINK', newest.string)
  redis.call('SETRANGE', newest.string, num_bytes - 1, '\0')
  redis.call('PEXPIREAT', newest.string, (number + num_generations) * generation_ms)
end

local answers, bits = {}, {}
for key = first, #ARGV, num_hashes do
  local is_present = contains(newest, key)
  if not is_present then
    is_present = any_contains(key)
    for i = 0, num_hashes - 1 do
      bits[4 * i + 1], bits[4 * i + 2], bits[4 * i + 3], bits[4 * i + 4] = 'SET', 'u1', ARGV[key + i], '1'
    end
    redis.call('BITFIELD', newest.string, unpack(bits))
  end
  answers[#answers + 1] = is_present and '1' or '0'
end
newest.inserts = newest.inserts + #answers

local created = {}
for i = #live, 1, -1 do
  created[#created + 1] = string.format('%.0f:%.0f', live[i].number, live[i].inserts)
end
created = table.concat(created, ' ')
updates = string.format('%.0f', updates + #answers)
redis.call('HSET', KEYS[1], 'updates', updates, 'created', created, 'state_checksum', checksum(updates, created))

answers = table.concat(answers)
if call ~= '0' then
  local period = math.floor(now / reply_ms)
  local reply = replies[1 + period % 2]
  redis.call('HSET', reply, client, call .. ' ' .. answers)
  redis.call('PEXPIREAT', reply, (period + 2) * reply_ms)
end
return {tonumber(updates), number, answers}
)";

}  // namespace

const std::string& create_script() {
  static const std::string script = kCreate;
  return script;
}

const std::string& query_script() {
  static const std::string script = std::string(kRead) + kQuery;
  return script;
}

const std::string& count_script() {
  static const std::string script = std::string(kRead) + kCount;
  return script;
}

const std::string& insert_script() {
  static const std::string script = std::string(kRead) + kInsert;
  return script;
}

}  // namespace bloometry::rotating_scripts
