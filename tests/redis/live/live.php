<?php
// A filter in Redis with three string hashes, accessed by php-redis's pipelines. Reads keys from
// standard input, one per line.
//
//   live.php add PORT KEY M 3      sets the bits of the keys
//   live.php query PORT KEY M 3      prints the keys that are present
//   live.php indices PORT KEY M 3  prints the three indices of each key, without a server

error_reporting(E_ALL & ~E_DEPRECATED);  // js() uses doubles as operands of ^ on purpose
set_error_handler(function ($level, $text) {
  if ((error_reporting() & $level) === 0) return true;
  throw new ErrorException($text);
});

const BATCH = 1000;

function folded($state) {
  return ($state % 4294967295) & 4294967295;
}

function bkdr($key) {
  $state = 0;
  for ($i = 0; $i < strlen($key); ++$i) $state = (int)($state * 131 + ord($key[$i]));
  return folded($state);
}

function js($key) {
  $state = 1315423911;
  for ($i = 0; $i < strlen($key); ++$i) $state ^= ($state << 5) + ord($key[$i]) + ($state >> 2);
  return folded($state);
}

function sdbm($key) {
  $state = 0;
  for ($i = 0; $i < strlen($key); ++$i) $state = (int)(ord($key[$i]) + ($state << 6) + ($state << 16) - $state);
  return folded($state);
}

function indices($key, $num_bits) {
  return [bkdr($key) % $num_bits, js($key) % $num_bits, sdbm($key) % $num_bits];
}

[, $action, $port, $name, $num_bits, $num_hashes] = $argv;
if ($num_hashes != 3 || $num_bits % 8192 != 0) throw new Exception('three hashes, and a multiple of 1 KiB');
$keys = explode("\n", stream_get_contents(STDIN));
array_pop($keys);

if ($action === 'indices') {
  foreach ($keys as $key) echo implode(' ', indices($key, $num_bits)), "\n";
  exit(0);
}

$redis = new Redis();
$redis->connect('127.0.0.1', (int)$port, 10);
foreach (array_chunk($keys, BATCH) as $batch) {
  $pipeline = $redis->multi(Redis::PIPELINE);
  $pipeline->strlen($name);
  foreach ($batch as $key) {
    foreach (indices($key, $num_bits) as $index) {
      if ($action === 'add') {
        $pipeline->setBit($name, $index, true);
      } else {
        $pipeline->getBit($name, $index);
      }
    }
  }
  $replies = $pipeline->exec();
  if (!is_array($replies) || count($replies) !== 1 + 3 * count($batch)) throw new Exception('no reply to each command');
  foreach ($replies as $reply) {
    // The reply of a failed command is false.
    if (!is_int($reply)) throw new Exception('an error: ' . $redis->getLastError());
  }
  if ($action === 'add') continue;
  if ($replies[0] === 0) throw new Exception('no such filter');
  foreach ($batch as $i => $key) {
    if ($replies[3 * $i + 1] && $replies[3 * $i + 2] && $replies[3 * $i + 3]) echo $key, "\n";
  }
}
