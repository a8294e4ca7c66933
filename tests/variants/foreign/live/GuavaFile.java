// Guava's BloomFilter on the command line: reads keys from standard input, one per line.
//
//   GuavaFile create FUNNEL OUT N P   writes BloomFilter.create(funnel, N, P) with the keys inserted
//   GuavaFile add FUNNEL OUT FILE     writes the filter of FILE with the keys inserted
//   GuavaFile query FUNNEL FILE       prints 0 or 1 for each key, one per line

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

public class GuavaFile {
  private static <T> void run(String[] arguments, Funnel<? super T> funnel, Function<String, T> keyOf)
      throws IOException {
    BloomFilter<T> filter;
    if (arguments[0].equals("create")) {
      filter =
          BloomFilter.create(
              funnel, Long.parseLong(arguments[3]), Double.parseDouble(arguments[4]));
    } else {
      try (InputStream in = new FileInputStream(arguments[arguments.length - 1])) {
        filter = BloomFilter.readFrom(in, funnel);
      }
    }
    BufferedReader keys =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    StringBuilder answers = new StringBuilder();
    for (String line = keys.readLine(); line != null; line = keys.readLine()) {
      if (arguments[0].equals("query")) {
        answers.append(filter.mightContain(keyOf.apply(line)) ? "1\n" : "0\n");
      } else {
        filter.put(keyOf.apply(line));
      }
    }
    System.out.print(answers);
    if (arguments[0].equals("query")) return;
    try (OutputStream out = new FileOutputStream(arguments[2])) {
      filter.writeTo(out);
    }
  }

  public static void main(String[] arguments) throws IOException {
    switch (arguments[1]) {
      case "long":
        run(arguments, Funnels.longFunnel(), Long::valueOf);
        break;
      case "int":
        run(arguments, Funnels.integerFunnel(), Integer::valueOf);
        break;
      case "chars":
        run(arguments, Funnels.unencodedCharsFunnel(), line -> line);
        break;
      case "bytes":
        run(arguments, Funnels.byteArrayFunnel(), line -> line.getBytes(StandardCharsets.UTF_8));
        break;
      default:
        run(arguments, Funnels.stringFunnel(StandardCharsets.UTF_8), line -> line);
    }
  }
}
