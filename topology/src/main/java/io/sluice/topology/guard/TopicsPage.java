package io.sluice.topology.guard;

import io.sluice.topology.common.TopicPlan;
import io.sluice.topology.common.TopicSpec.Cleanup;
import java.util.List;

/**
 * Purpose: the page docs/topics.md: the table of topics, and how the guard judges what differs from it.
 *
 * <p>Threading: functions only.
 *
 * <p>Invariants: the rows about settings come from the rules that the guard goes by.
 */
public final class TopicsPage {
    private static final String INTRODUCTION = """

            ## The guard

            At its start and every minute from then on (`topics.check.interval.ms`) an instance compares every topic with
            the table: by the value that is in force, wherever that was set. `sluice topics verify` does the same from
            outside, and `sluice topics create` makes what is missing; with `--mend` it also writes every setting of the
            table on the topics.

            * **A difference that can lose records** stops the start. Found later, it turns `/health/ready` off until it is
              mended; the instance goes on with what it does, since stopping would mend nothing.
            * **Any other difference** is a warning in the log and in `sluice topics verify`.
            * **A look that cannot be made**, because no broker answers or a right is missing, says nothing about the topics:
              at the start it is a reason not to start, later the result of the last one stays.

            Each message has topic, setting, value, wanted value, where the value was set, what the difference leads to, and
            the command that mends it. A value that is right and not written on the topic is a warning as well: nothing keeps
            it so, and another broker may have another one.

            ### Settings

            -1 is no limit, and so more than any number.

            """;

    private static final String OTHERS = """

            A setting that is written on a topic and not in the table is a warning.

            ### Topics, partitions and copies

            | what | can lose records | warning |
            |---|---|---|
            | topic | one of the table is not there | one that begins with `sluice-` and is not in the table: Kafka Streams does not make any for this version |
            | topic id | another one than is pinned in `sluice.meta`: the topic was deleted and created again | - |
            | partitions | another number than is pinned | - |
            | replicas | a partition has fewer copies than have to be in sync, or than `min.insync.replicas` of the topic asks for | fewer than in the table |
            | in sync | - | fewer copies than have to be in sync have everything: writes wait until brokers are back |

            ### What is the brokers' own

            | what | wanted | otherwise |
            |---|---|---|
            | `__transaction_state`; while it is not there, the settings with which it will be made | compacted, no unclean leader election, as many copies and as many in sync as Sluice's topics | can lose records; a warning for copies that are enough to be in sync but fewer than in the table |
            | `__consumer_offsets`, likewise | the same | warning: what was decided is not decided twice |
            | `auto.create.topics.enable` | `false` | warning |
            | `log.cleaner.enable` | `true` | warning |
            | `group.min.session.timeout.ms` | at most `session.timeout.ms` | warning |
            | feature `transaction.version` | 2 | warning |
            | number of brokers | as many as copies | warning |
            | the right to read all this | DescribeConfigs on the cluster and on those two topics | warning |

            ### Local stores

            Each `state.dir` has a file, `.sluice-topics`, with the generation of the installation and the ids of the
            changelogs of which its stores were made. When these are not the ones of the topics that are there, the stores
            would answer with what other topics held: they are deleted before anything is started, the log says why, and
            they are restored from the topics. A folder from before this file is taken as it is.
            """;

    private TopicsPage() {}

    public static String text() {
        return TopicPlan.page() + INTRODUCTION + settings() + OTHERS;
    }

    private static String settings() {
        return TopicPlan.markdownTable(
                List.of("setting", "of topics that", "can lose records", "because", "otherwise"),
                SettingRule.ALL.stream().map(TopicsPage::cells).toList());
    }

    private static List<String> cells(SettingRule rule) {
        return List.of(
                "`" + rule.setting() + "`",
                rule.on().map(TopicsPage::topics).orElse("any"),
                rule.bound().lossWhen(),
                orDash(rule.loss()),
                rule.warning().isEmpty() ? "-" : "warning: " + rule.warning());
    }

    private static String topics(Cleanup cleanup) {
        return cleanup == Cleanup.COMPACT ? "are compacted" : "expire";
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "-" : text;
    }
}
