// Guava's BloomFilter (Debian libguava-java) as a subject of `bloometry verify --subject`. The
// program uses the line protocol of ../README.md.
//
//   java -cp /usr/share/java/guava.jar GuavaSubject.java INSERTIONS FPP --sizes    prints the m and k that the library chooses
//   java -cp /usr/share/java/guava.jar GuavaSubject.java INSERTIONS FPP            the subject; `new` must request these sizes

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

public class GuavaSubject {
  private static final BufferedReader input =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1));

  private static BloomFilter<CharSequence> create(String[] arguments) {
    return BloomFilter.create(
        Funnels.stringFunnel(StandardCharsets.ISO_8859_1),
        Long.parseLong(arguments[0]),
        Double.parseDouble(arguments[1]));
  }

  /** "m k" as the stream of writeTo says: byte strategy, byte k, int32 number of 64-bit words. */
  private static String sizes(BloomFilter<CharSequence> filter) throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    filter.writeTo(stream);
    ByteBuffer header = ByteBuffer.wrap(stream.toByteArray());
    return 64L * header.getInt(2) + " " + (header.get(1) & 0xff);
  }

  private static String answer(BloomFilter<CharSequence> filter, String verb, int count)
      throws IOException {
    StringBuilder bits = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String key = input.readLine();
      if (verb.equals("insert")) filter.put(key);
      if (verb.equals("query")) bits.append(filter.mightContain(key) ? '1' : '0');
    }
    return verb.equals("query") ? bits.toString() : verb.equals("insert") ? "ok" : "error unknown";
  }

  public static void main(String[] arguments) throws IOException {
    BloomFilter<CharSequence> filter = create(arguments);
    String sizes = sizes(filter);
    if (arguments.length > 2) {
      System.out.println(sizes);
      return;
    }
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] words = line.split(" ");
      if (!words[0].equals("new")) {
        System.out.println(answer(filter, words[0], Integer.parseInt(words[1])));
      } else if (sizes.equals(words[2] + " " + words[3])) {
        filter = create(arguments);
        System.out.println("ok");
      } else {
        System.out.println("error the library chooses m and k as " + sizes);
      }
      System.out.flush();
    }
  }
}
