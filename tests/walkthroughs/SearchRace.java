// A small referee for the walk-through of docs/referees.md: one bot drives a car through checkpoints, three laps. It takes
// the arguments of the site's referees: -p1 CMD -d seed=N -l FILE.

import java.io.*;
import java.util.*;

public class SearchRace {
    private static final int TURNS = 150;
    private static final int RADIUS = 600;

    public static void main(String[] words) throws Exception {
        String command = null;
        long seed = 0;
        for (int i = 0; i + 1 < words.length; i++) {
            if (words[i].equals("-p1")) command = words[i + 1];
            if (words[i].equals("-d")) seed = Long.parseLong(words[i + 1].replace("seed=", ""));
        }
        int score = -1;
        Process bot = new ProcessBuilder(command.split(" ")).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (PrintStream to = new PrintStream(new BufferedOutputStream(bot.getOutputStream()));
             BufferedReader from = new BufferedReader(new InputStreamReader(bot.getInputStream()))) {
            score = race(new Random(seed), to, from);
        } catch (IOException | RuntimeException e) {
            System.err.println(e);
        } finally {
            bot.destroyForcibly();
        }
        System.out.println(score);
        System.out.println("seed=" + seed);
        System.out.println();
        System.exit(0);
    }

    /** The points: more for each checkpoint, and for each turn that is left. */
    private static int race(Random random, PrintStream to, BufferedReader from) throws IOException {
        int count = 3 + random.nextInt(4);
        int[][] checkpoints = new int[count][];
        to.println(count);
        for (int i = 0; i < count; i++) {
            checkpoints[i] = new int[] {1000 + random.nextInt(14000), 1000 + random.nextInt(7000)};
            to.println(checkpoints[i][0] + " " + checkpoints[i][1]);
        }
        double x = checkpoints[count - 1][0], y = checkpoints[count - 1][1], vx = 0, vy = 0, angle = 0;
        int passed = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            to.println(passed % count + " " + (int) x + " " + (int) y + " " + (int) vx + " " + (int) vy + " " + (int) angle);
            to.flush();
            String[] answer = from.readLine().split(" ");
            double wanted = Math.toDegrees(Math.atan2(Integer.parseInt(answer[1]) - y, Integer.parseInt(answer[0]) - x));
            double turned = ((wanted - angle) % 360 + 540) % 360 - 180;
            angle = (angle + Math.max(-18, Math.min(18, turned)) + 360) % 360;
            int thrust = Math.max(0, Math.min(200, Integer.parseInt(answer[2])));
            vx += Math.cos(Math.toRadians(angle)) * thrust;
            vy += Math.sin(Math.toRadians(angle)) * thrust;
            x += vx;
            y += vy;
            int[] goal = checkpoints[passed % count];
            if (Math.hypot(goal[0] - x, goal[1] - y) < RADIUS) passed++;
            if (passed == 3 * count) return 100 * passed + TURNS - turn;
            vx = (int) (vx * 0.85);
            vy = (int) (vy * 0.85);
        }
        return 100 * passed;
    }
}
