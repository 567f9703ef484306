// Plays many games of one referee in one Java virtual machine. Each game gets a class loader of its own, so that no
// static state of its classes survives; only the JDK's classes are shared, and their settings are restored.
//
// Started as `ArenaHost -jar FILE` or `ArenaHost -cp PATH CLASS`. It first prints `ready`, `restart FLAG...` (the jar
// asks for these flags), or `refused REASON`. Then each line of its input is a game: the files for its standard output and
// error, and its arguments, each word percent-encoded. The answer is `ended STATUS`, `ended STATUS leave REASON` if the
// machine must not play another game, or `refused REASON`.

import java.io.*;
import java.lang.management.*;
import java.lang.reflect.*;
import java.net.*;
import java.nio.charset.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.jar.*;
import java.util.logging.LogManager;

public final class ArenaHost {
    /** Bytes kept of each stream of a game, as of any referee. */
    private static final int KEPT_BYTES = 4 << 20;
    /** Games after which the machine is replaced, whatever its state. */
    private static final int MAX_GAMES = 1000;
    /** Growth of the memory for classes after which ended games are collected, between two games. */
    private static final long COLLECT_BYTES = 64L << 20;
    /** Memory for classes that can't be collected, after which the machine is replaced. */
    private static final long LEFT_BYTES = 256L << 20;
    /** Time for a game's threads to end after they were interrupted. */
    private static final long THREADS_MS = 300;

    private static final PrintStream REPLIES = System.out;
    private static final Sink OUT = new Sink();
    private static final Sink ERR = new Sink();
    /** The parent of the groups of all games. */
    private static final ThreadGroup GAMES = new ThreadGroup("games");
    private static final String HOOKS_CLASS = "java.lang.ApplicationShutdownHooks";
    private static final Map<Thread, Thread> HOOKS = hooks();
    private static volatile Game current;

    private static URL[] path;
    private static String mainClass;
    private static int games;
    private static long collected;

    public static void main(String[] words) throws Exception {
        String refusal = null;
        try {
            // Its own hook must not be one of the first game's.
            LogManager.getLogManager();
            String flags = prepare(words);
            if (!flags.isEmpty()) {
                reply("restart" + flags);
                return;
            }
            try (ArenaLoader loader = new ArenaLoader(path)) {
                mainOf(loader);
            }
            if (HOOKS == null) refusal = "this Java doesn't show its shutdown hooks";
        } catch (Throwable e) {
            refusal = e.toString();
        }
        reply(refusal == null ? "ready" : "refused " + refusal);
        if (refusal != null) return;
        Properties properties = (Properties) System.getProperties().clone();
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = requests.readLine()) != null; ) {
            String[] parts = line.split(" ", -1);
            for (int i = 0; i < parts.length; i++) parts[i] = URLDecoder.decode(parts[i], "UTF-8");
            String reply;
            try {
                reply = new Game().play(parts[0], parts[1], Arrays.copyOfRange(parts, 2, parts.length));
                System.setProperties((Properties) properties.clone());
                Locale.setDefault(locale);
                TimeZone.setDefault(zone);
                Thread.setDefaultUncaughtExceptionHandler(null);
                LogManager.getLogManager().readConfiguration();
            } catch (Throwable e) {
                reply = "refused " + e;
            }
            reply(reply);
        }
    }

    private static void reply(String text) {
        REPLIES.println(text.replace('\n', ' ').replace('\r', ' '));
        REPLIES.flush();
    }

    /** Takes the jar or the class path; returns the flags that the jar's manifest asks for. */
    private static String prepare(String[] words) throws Exception {
        boolean isJar = words[0].equals("-jar");
        StringBuilder flags = new StringBuilder();
        List<URL> urls = new ArrayList<>();
        for (String part : isJar ? new String[] {words[1]} : words[1].split(File.pathSeparator)) {
            File file = new File(part.isEmpty() ? "." : part);
            if (!isJar && file.getName().equals("*")) {
                File[] jars = new File(part.substring(0, part.length() - 1)).listFiles();
                for (File jar : jars == null ? new File[0] : jars) {
                    if (jar.getName().toLowerCase(Locale.ROOT).endsWith(".jar")) urls.add(jar.toURI().toURL());
                }
            } else {
                urls.add(file.toURI().toURL());
            }
        }
        path = urls.toArray(new URL[0]);
        mainClass = isJar ? null : words[2].replace('/', '.');
        if (isJar) {
            try (JarFile jar = new JarFile(words[1])) {
                Manifest manifest = jar.getManifest();
                Attributes main = manifest == null ? new Attributes() : manifest.getMainAttributes();
                mainClass = main.getValue("Main-Class");
                if (mainClass == null) throw new IOException("no Main-Class in the manifest of " + words[1]);
                mainClass = mainClass.trim();
                if (main.getValue("Launcher-Agent-Class") != null) throw new IOException("the jar is an agent");
                for (String name : new String[] {"Add-Opens", "Add-Exports"}) {
                    String value = main.getValue(name);
                    for (String module : value == null ? new String[0] : value.trim().split("\\s+")) {
                        String flag = "--" + name.toLowerCase(Locale.ROOT) + "=" + module + "=ALL-UNNAMED";
                        if (System.getProperty("arena.host.restarted") == null) flags.append(' ').append(flag);
                    }
                }
            }
        }
        System.clearProperty("arena.host.restarted");
        System.setProperty("java.class.path", words[1]);
        return flags.toString();
    }

    private static Method mainOf(ArenaLoader loader) throws Exception {
        Method main = Class.forName(mainClass, false, loader).getMethod("main", String[].class);
        if (!Modifier.isStatic(main.getModifiers())) throw new NoSuchMethodException("static main");
        main.setAccessible(true);
        return main;
    }

    @SuppressWarnings("unchecked")
    private static Map<Thread, Thread> hooks() {
        try {
            Field field = Class.forName(HOOKS_CLASS).getDeclaredField("hooks");
            field.setAccessible(true);
            return (Map<Thread, Thread>) field.get(null);
        } catch (Exception | LinkageError e) {
            return null;
        }
    }

    /** What the game's calls of System.exit lead to: see {@link ArenaLoader}. */
    public static void exit(int status) {
        Game game = current;
        if (game != null && game.owns(Thread.currentThread())) game.exit(status);
        throw new Exit();
    }

    /** Ends a thread that has called System.exit. */
    private static final class Exit extends Error {
        private static final long serialVersionUID = 1;

        Exit() {
            super("System.exit", null, false, false);
        }
    }

    /** One game. */
    private static final class Game implements Runnable {
        private final ThreadGroup group = new ThreadGroup(GAMES, "main");
        private final Thread thread = new Thread(group, this, "main");
        private final CountDownLatch over = new CountDownLatch(1);
        private final ArenaLoader loader = new ArenaLoader(path);
        private String[] words;
        private int status;
        private boolean hasExited;
        private boolean hasReturned;

        String play(String out, String err, String[] words) throws Exception {
            this.words = words;
            thread.setContextClassLoader(loader);
            Set<Thread> hooksBefore = new HashSet<>(HOOKS.keySet());
            System.setProperty("sun.java.command", mainClass + " " + String.join(" ", words));
            System.setIn(new BufferedInputStream(new ByteArrayInputStream(new byte[0])));
            current = this;
            try (OutputStream outFile = new FileOutputStream(out); OutputStream errFile = new FileOutputStream(err)) {
                System.setOut(OUT.open(outFile));
                System.setErr(ERR.open(errFile));
                thread.start();
                awaitEnd();
                runHooks(hooksBefore);
                OUT.close();
                ERR.close();
            }
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            over.countDown();
            String left = endThreads();
            current = null;
            loader.close();
            return "ended " + status + (left == null ? collect() : " leave " + left);
        }

        public void run() {
            try {
                mainOf(loader).invoke(null, (Object) words);
            } catch (Throwable e) {
                Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
                if (!(cause instanceof Exit)) fail(cause);
            }
            synchronized (this) {
                hasReturned = true;
                notifyAll();
            }
        }

        /** What a machine does with an exception that leaves `main`. */
        private void fail(Throwable cause) {
            try {
                thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
            } catch (Throwable ignored) {
                // As in any machine.
            }
            synchronized (this) {
                if (!hasExited) status = 1;
            }
        }

        boolean owns(Thread thread) {
            ThreadGroup of = thread.getThreadGroup();
            return of != null && (of == group || group.parentOf(of) || !GAMES.parentOf(of));
        }

        void exit(int status) {
            synchronized (this) {
                if (!hasExited) this.status = status;
                hasExited = true;
                notifyAll();
            }
            // As System.exit, it doesn't return while the game lasts.
            for (; ; ) {
                try {
                    over.await();
                    return;
                } catch (InterruptedException e) {
                    // The game is still ending.
                }
            }
        }

        private synchronized void awaitEnd() throws InterruptedException {
            while (!hasExited && !(hasReturned && threads(false).isEmpty())) wait(hasReturned ? 1 : 0);
        }

        /** Its threads that still live, without `main`. */
        private List<Thread> threads(boolean withDaemons) {
            Thread[] all = new Thread[group.activeCount() + 16];
            int count = group.enumerate(all);
            List<Thread> found = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                if (all[i].isAlive() && all[i] != thread && (withDaemons || !all[i].isDaemon())) found.add(all[i]);
            }
            return found;
        }

        private void runHooks(Set<Thread> before) throws Exception {
            List<Thread> own = new ArrayList<>();
            synchronized (Class.forName(HOOKS_CLASS)) {
                for (Thread hook : HOOKS.keySet()) if (!before.contains(hook)) own.add(hook);
                own.forEach(HOOKS::remove);
            }
            for (Thread hook : own) hook.start();
            for (Thread hook : own) hook.join();
        }

        /** Ends its threads; returns which one is still at work. Idle ones of a pool are harmless. */
        private String endThreads() throws InterruptedException {
            long deadline = System.nanoTime() + THREADS_MS * 1_000_000;
            for (boolean isFirst = true; ; isFirst = false) {
                List<Thread> left = threads(true);
                if (thread.isAlive()) left.add(thread);
                if (isFirst) left.forEach(Thread::interrupt);
                left.removeIf(thread -> !thread.isAlive() || isIdle(thread));
                if (left.isEmpty()) {
                    boolean isQuiet = ForkJoinPool.commonPool().awaitQuiescence(0, TimeUnit.MILLISECONDS);
                    if (isQuiet) return null;
                }
                if (System.nanoTime() > deadline) {
                    if (left.isEmpty()) return "the common pool is at work";
                    return "its thread " + left.get(0).getName() + " doesn't end";
                }
                Thread.sleep(1);
            }
        }

        /** Whether a thread waits, and nothing but the JDK's own code is on its stack. */
        private static boolean isIdle(Thread thread) {
            Thread.State state = thread.getState();
            if (state != Thread.State.WAITING && state != Thread.State.TIMED_WAITING) return false;
            for (StackTraceElement frame : thread.getStackTrace()) {
                String name = frame.getClassName();
                if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.")) return false;
            }
            return true;
        }
    }

    /** Collects ended games now and then, between games; returns why the machine must be replaced, if it must. */
    private static String collect() {
        if (++games >= MAX_GAMES) return " leave it has played " + games + " games";
        Runtime heap = Runtime.getRuntime();
        boolean isFull = heap.totalMemory() - heap.freeMemory() > heap.maxMemory() / 2;
        if (classBytes() - collected < COLLECT_BYTES && !isFull) return "";
        System.gc();
        collected = classBytes();
        boolean isStillFull = heap.totalMemory() - heap.freeMemory() > heap.maxMemory() / 2;
        return collected > LEFT_BYTES || isStillFull ? " leave ended games stay in its memory" : "";
    }

    private static long classBytes() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getName().equals("Metaspace")) return pool.getUsage().getUsed();
        }
        return 0;
    }

    /** A standard stream of the current game. Threads of earlier games write nothing. */
    private static final class Sink extends OutputStream {
        private OutputStream file;
        private int room;

        synchronized PrintStream open(OutputStream file) {
            this.file = file;
            room = KEPT_BYTES;
            return new PrintStream(new BufferedOutputStream(new Proxy(this), 8192), true);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int count) throws IOException {
            Game game = current;
            if (file == null || game == null || !game.owns(Thread.currentThread())) return;
            file.write(bytes, from, Math.min(count, room));
            room -= Math.min(count, room);
        }

        @Override
        public synchronized void close() {
            file = null;
        }
    }

    /** What a game may close. */
    private static final class Proxy extends FilterOutputStream {
        Proxy(OutputStream sink) {
            super(sink);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            out.write(bytes, from, count);
        }

        @Override
        public void close() {
            // The sink belongs to all games.
        }
    }
}
