// A filter in Redis with Guava's murmur3_128 and double hashing, accessed by pipelines on a plain
// socket. The program reads keys from standard input, one per line. Jedis is not packaged. This
// program therefore implements the protocol RESP and uses the key prefix of Jedis programs.
//
//   LiveFilter add PORT KEY M K   sets the bits of the keys
//   LiveFilter query PORT KEY M K   prints the keys that are present
//
// The key in Redis is bf:KEY.

import com.google.common.hash.Hashing;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

public class LiveFilter {
  private static final int BATCH = 1000;

  private static long[] indices(String key, long numBits, int numHashes) {
    byte[] digest = Hashing.murmur3_128().hashString(key, StandardCharsets.UTF_8).asBytes();
    ByteBuffer words = ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN);
    long first = words.getLong();
    long second = words.getLong();
    long[] indices = new long[numHashes];
    long combined = first;
    for (int i = 0; i < numHashes; ++i) {
      indices[i] = (combined & Long.MAX_VALUE) % numBits;
      combined += second;
    }
    return indices;
  }

  private static void send(OutputStream out, String... words) throws IOException {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      int size = word.getBytes(StandardCharsets.UTF_8).length;
      text.append("$" + size + "\r\n" + word + "\r\n");
    }
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** One reply, which must be an integer: an error is no bit. */
  private static long receive(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0)
        throw new IOException("the server closed the connection");
      line.append((char) c);
    }
    if (line.charAt(0) != ':')
      throw new IOException("the server replied " + line);
    return Long.parseLong(line.substring(1).trim());
  }

  private static List<String> readKeys() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.in.transferTo(bytes);
    List<String> keys = new ArrayList<>();
    String text = bytes.toString(StandardCharsets.UTF_8);
    for (int at = 0, end; (end = text.indexOf('\n', at)) >= 0; at = end + 1) {
      keys.add(text.substring(at, end));
    }
    return keys;
  }

  public static void main(String[] arguments) throws IOException {
    boolean adds = arguments[0].equals("add");
    String name = "bf:" + arguments[2];
    long numBits = Long.parseLong(arguments[3]);
    int numHashes = Integer.parseInt(arguments[4]);
    List<String> keys = readKeys();
    StringBuilder answers = new StringBuilder();
    try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(arguments[1]))) {
      socket.setSoTimeout(10_000);
      OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (int first = 0; first < keys.size(); first += BATCH) {
        List<String> batch = keys.subList(first, Math.min(first + BATCH, keys.size()));
        send(out, "STRLEN", name);
        for (String key : batch) {
          for (long index : indices(key, numBits, numHashes)) {
            if (adds) {
              send(out, "SETBIT", name, Long.toString(index), "1");
            } else {
              send(out, "GETBIT", name, Long.toString(index));
            }
          }
        }
        out.flush();
        if (receive(in) == 0 && !adds)
          throw new IOException("no such filter");
        for (String key : batch) {
          boolean isPresent = true;
          for (int i = 0; i < numHashes; ++i) isPresent &= receive(in) == 1;
          if (!adds && isPresent)
            answers.append(key).append('\n');
        }
      }
    }
    System.out.write(answers.toString().getBytes(StandardCharsets.UTF_8));
    System.out.flush();
  }
}
