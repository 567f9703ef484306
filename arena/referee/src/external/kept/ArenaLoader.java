// Loads the classes of one game from the jar or the class path. Their bytes are read once for all games.

import java.io.*;
import java.net.*;
import java.security.*;
import java.security.cert.Certificate;
import java.util.*;
import java.util.concurrent.*;
import java.util.jar.*;

final class ArenaLoader extends URLClassLoader {
    private static final Map<String, Code> CODES = new ConcurrentHashMap<>();

    static {
        registerAsParallelCapable();
    }

    private final Map<URL, ProtectionDomain> domains = new ConcurrentHashMap<>();

    /** A class as it is defined, and where it is from. */
    private static final class Code {
        byte[] bytes;
        URL source;
        Manifest manifest;
    }

    ArenaLoader(URL[] path) {
        super(path, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.equals("ArenaHost")) return ArenaHost.class;
        if (!CODES.containsKey(name)) return super.loadClass(name, resolve);
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        Code code = CODES.get(name);
        if (code == null) {
            try {
                code = read(name);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
            CODES.put(name, code);
        }
        int dot = name.lastIndexOf('.');
        String pack = dot < 0 ? "" : name.substring(0, dot);
        if (dot >= 0 && getDefinedPackage(pack) == null) {
            try {
                if (code.manifest != null) definePackage(pack, code.manifest, code.source);
                else definePackage(pack, null, null, null, null, null, null, null);
            } catch (IllegalArgumentException e) {
                // Another thread has defined it.
            }
        }
        ProtectionDomain domain = domains.computeIfAbsent(code.source, source ->
            new ProtectionDomain(new CodeSource(source, (Certificate[]) null), null, this, null));
        return defineClass(name, code.bytes, 0, code.bytes.length, domain);
    }

    private Code read(String name) throws IOException, ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        URL url = findResource(file);
        if (url == null) throw new ClassNotFoundException(name);
        Code code = new Code();
        URLConnection connection = url.openConnection();
        if (connection instanceof JarURLConnection) {
            code.source = ((JarURLConnection) connection).getJarFileURL();
            code.manifest = ((JarURLConnection) connection).getManifest();
        } else {
            String text = url.toString();
            code.source = new URL(text.substring(0, text.length() - file.length()));
        }
        try (InputStream in = connection.getInputStream()) {
            code.bytes = withoutExit(in.readAllBytes());
        }
        return code;
    }

    /** Directs calls of System.exit to this class: each gets another class in the constant pool. */
    static byte[] withoutExit(byte[] bytes) {
        try {
            return new Pool(bytes).withoutExit();
        } catch (ArrayIndexOutOfBoundsException e) {
            // The machine will say what is wrong with it.
            return bytes;
        }
    }

    /** The constant pool of a class file. */
    private static final class Pool {
        private final byte[] bytes;
        private final int[] at;
        private int end = 10;

        Pool(byte[] bytes) {
            this.bytes = bytes;
            at = new int[u2(8)];
            for (int i = 1; i < at.length; i++) {
                at[i] = end;
                switch (bytes[end]) {
                    case 1: end += 3 + u2(end + 1); break;
                    case 7: case 8: case 16: case 19: case 20: end += 3; break;
                    case 15: end += 4; break;
                    case 5: case 6: end += 9; i++; break;
                    default: end += 5;
                }
            }
        }

        byte[] withoutExit() throws ArrayIndexOutOfBoundsException {
            byte[] added = {1, 0, 9, 'A', 'r', 'e', 'n', 'a', 'H', 'o', 's', 't', 7, 0, 0};
            byte[] out = null;
            for (int i = 1; i < at.length; i++) {
                if (at[i] == 0 || bytes[at[i]] != 10 || !isExit(at[i])) continue;
                if (out == null) {
                    if (at.length > 0xffff - 2) return bytes;
                    out = new byte[bytes.length + added.length];
                    System.arraycopy(bytes, 0, out, 0, end);
                    System.arraycopy(added, 0, out, end, added.length);
                    System.arraycopy(bytes, end, out, end + added.length, bytes.length - end);
                    put(out, 8, at.length + 2);
                    put(out, end + added.length - 2, at.length);
                }
                put(out, at[i] + 1, at.length + 1);
            }
            return out == null ? bytes : out;
        }

        private boolean isExit(int method) {
            int type = at[u2(method + 1)];
            int named = at[u2(method + 3)];
            return isText(u2(type + 1), "java/lang/System")
                && isText(u2(named + 1), "exit") && isText(u2(named + 3), "(I)V");
        }

        private boolean isText(int index, String text) {
            int from = at[index];
            if (u2(from + 1) != text.length()) return false;
            for (int i = 0; i < text.length(); i++) if (bytes[from + 3 + i] != text.charAt(i)) return false;
            return true;
        }

        private int u2(int from) {
            return (bytes[from] & 0xff) << 8 | bytes[from + 1] & 0xff;
        }

        private static void put(byte[] into, int from, int value) {
            into[from] = (byte) (value >> 8);
            into[from + 1] = (byte) value;
        }
    }
}
