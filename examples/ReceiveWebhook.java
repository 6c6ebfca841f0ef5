// Receives events: SIGNING_KEY='whsec_…' PORT=9000 java examples/ReceiveWebhook.java
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class ReceiveWebhook {
  private static final int MAX_LENGTH = 1 << 21;
  private static final int MAX_SEEN = 10_000;
  private static final long TOLERANCE_SECONDS = 300;
  private static final String PREFIX = "whsec_";

  // To remember ids across restarts, store them in the same database transaction as the work.
  private static final Set<String> SEEN =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > MAX_SEEN;
                }
              }));

  private static SecretKeySpec key;

  public static void main(String[] arguments) throws IOException {
    String signingKey = System.getenv().getOrDefault("SIGNING_KEY", "");
    // After the prefix, the key is base64; a key without the prefix is used as UTF-8.
    boolean isStandard = signingKey.startsWith(PREFIX);
    byte[] bytes =
        isStandard
            ? Base64.getDecoder().decode(signingKey.substring(PREFIX.length()))
            : signingKey.getBytes(UTF_8);
    if (bytes.length < (isStandard ? 24 : 32)) {
      System.err.println(signingKey.isEmpty() ? "SIGNING_KEY is missing" : "SIGNING_KEY is too short");
      System.exit(1);
    }
    key = new SecretKeySpec(bytes, "HmacSHA256");
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "9000"));
    HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
    server.createContext("/", ReceiveWebhook::receive);
    server.setExecutor(Executors.newFixedThreadPool(16));
    server.start();
  }

  private static void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      int status = statusOf(exchange);
      if (status >= 400) exchange.getResponseHeaders().set("Connection", "close");
      exchange.sendResponseHeaders(status, -1);
    }
  }

  private static int statusOf(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_LENGTH + 1);
    if (body.length > MAX_LENGTH) return 413;
    Headers headers = exchange.getRequestHeaders();
    if (!isAuthentic(headers, body)) return 401;
    // The id is signed together with the body. Java has no built-in JSON parser: pass the body to yours.
    if (SEEN.add(headers.getFirst("webhook-id"))) System.out.println(new String(body, UTF_8));
    return 204;
  }

  /** Whether the service sent this body at most five minutes ago. */
  private static boolean isAuthentic(Headers headers, byte[] body) {
    String id = headers.getFirst("webhook-id");
    String timestamp = headers.getFirst("webhook-timestamp");
    String signatures = headers.getFirst("webhook-signature");
    if (id == null || id.isEmpty() || timestamp == null || signatures == null) return false;
    if (!timestamp.matches("[0-9]{1,15}")) return false;
    long age = Instant.now().getEpochSecond() - Long.parseLong(timestamp);
    if (Math.abs(age) > TOLERANCE_SECONDS) return false;
    byte[] mac = hmac(id + "." + timestamp + ".", body);
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac)).getBytes(UTF_8);
    boolean isAuthentic = false;
    // During a key change there are two signatures.
    for (String signature : signatures.split(" "))
      isAuthentic |= MessageDigest.isEqual(expected, signature.getBytes(UTF_8));
    return isAuthentic;
  }

  private static byte[] hmac(String prefix, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      mac.update(prefix.getBytes(UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }
}
