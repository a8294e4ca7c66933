#pragma once

#include <chrono>
#include <string>

/// The scripts of a rotating filter. Redis runs a script atomically, so other clients see a filter
/// before or after a whole batch. The scripts read the server's clock (TIME), need Redis 5 or newer
/// and write only to the keys that they are given.
///
/// All scripts but create_script have KEYS: the parameters, the strings of the generations in the
/// order of the slots, and for insert_script the two hashes of replies. ARGV begins with: number of
/// generations, generation time in milliseconds, bytes per string, number of hashes.
namespace bloometry::rotating_scripts {

/// Time for which the reply to a client is kept, at least. A client may repeat a call for this
/// time.
inline constexpr std::chrono::milliseconds kReplyTime{std::chrono::minutes(10)};

/// Stores the parameters of an empty filter. Replies 1 if this attempt stores them, or if an
/// earlier attempt whose reply was lost has stored them. Replies 0 if a key exists.
///
/// KEYS: the parameters, and keys that must not exist. ARGV: version, name and value of each
/// parameter.
[[nodiscard]] const std::string& create_script();

/// Replies with the time in milliseconds, the fields of the parameters, 1 if the checksum of the
/// state is right, the length of the string of each live generation (newest first), and the
/// answers: one byte per key, 1 if the key is present.
///
/// Further ARGV: the offsets of the bits of each key.
[[nodiscard]] const std::string& query_script();

/// Replies as query_script does, but with the number of set bits of each live generation in place
/// of the answers.
[[nodiscard]] const std::string& count_script();

/// Inserts keys into the newest generation, and creates this generation if necessary. Replies with
/// the new count of updates, the number of the newest generation, and the answers from before the
/// insert. In a batch, each key is inserted before the next one is tested. If the filter is not the
/// one that was opened, or is damaged, the script does not write and its reply is empty. With an
/// empty list of offsets, it makes a write that replicas can confirm, but does not change the
/// filter.
///
/// A client repeats a call if the reply is lost. The script therefore stores its answers, and
/// replies to a repeated call with the answers of the first one.
///
/// Further ARGV: id of the client; number of the call, or 0 if its answers need not be stored;
/// kReplyTime; smallest valid count of updates; smallest valid number of the newest generation;
/// number of parameters; name and value of each parameter; offsets of the bits of each key.
[[nodiscard]] const std::string& insert_script();

}  // namespace bloometry::rotating_scripts
