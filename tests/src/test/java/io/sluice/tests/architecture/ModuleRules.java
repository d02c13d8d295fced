package io.sluice.tests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.sluice.state.common.RowBuffer;
import io.sluice.state.common.RowWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rules of the design about who may know what, over the packages below a root. The root is a parameter so that the rules can
 * be tried on {@code broken} as well. Immutable.
 */
final class ModuleRules {
    /** Classes below topology.flow, topology.flownode and topology.region that stand between the pure part and Kafka Streams. */
    private static final Set<String> ADAPTERS = Set.of("FlowTopology", "FlownodeTopology", "RegionTopology");

    /** Classes of topology.common that decide, or stand around what does. */
    private static final Set<String> DECIDING =
            Set.of("CommandHandler", "CommandReader", "CommandRules", "CommandRecord", "TopicRecord");

    /** The rows that every store has, whatever it is about. */
    private static final Set<String> COMMON_ROWS = Set.of("OutcomeIndex", "OutcomeCheck", "CursorRow");

    /** Static state on purpose: the cache that all stores of a process share. */
    private static final Set<String> STATIC_STATE_ALLOWED = Set.of("RocksDbSettings");

    private static final Set<String> CLOCK_AND_RANDOM_METHODS = Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.lang.System.getenv",
            "java.lang.System.getProperty",
            "java.lang.Math.random",
            "java.util.UUID.randomUUID");

    private final String root;

    ModuleRules(String root) {
        this.root = root;
    }

    /** The packages whose classes are checked. */
    List<String> packages() {
        return Stream.of("schemas", "avro", "state", "topology", "client", "service")
                .map(name -> root + "." + name)
                .toList();
    }

    /** Module by module, what it must not know. */
    List<ArchRule> modulesPointOneWay() {
        Map<String, List<String>> forbidden = new LinkedHashMap<>();
        forbidden.put("schemas", List.of("state", "topology", "client", "service"));
        forbidden.put("state", List.of("topology", "client", "service"));
        forbidden.put("topology", List.of("client", "service"));
        forbidden.put("client", List.of("state", "topology", "service"));
        List<ArchRule> rules = new ArrayList<>();
        forbidden.forEach((module, others) -> rules.add(noClasses()
                .that()
                .resideInAnyPackage(below(module))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others.stream().map(this::below).toArray(String[]::new))
                .because("dependencies point one way: schemas <- state-stores <- topology <- service; "
                        + "schemas <- producers <- service")));
        return rules;
    }

    ArchRule pureCodeKnowsNoKafka() {
        return noClasses()
                .that(arePure())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "kafka..")
                .because("deciding and applying are shared by the processor, the rebuild tool and the tests");
    }

    ArchRule pureCodeAsksNothingButItsArguments() {
        return noClasses()
                .that(arePure())
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..", "org.slf4j..")
                        .or(describe(
                                "are clocks or random",
                                type -> Set.of(
                                                "java.time.Instant",
                                                "java.time.Clock",
                                                "java.util.Random",
                                                "java.util.SplittableRandom",
                                                "java.util.concurrent.ThreadLocalRandom",
                                                "java.security.SecureRandom")
                                        .contains(type.getName()))))
                .orShould()
                .callMethodWhere(describe(
                        "it is a clock, a random number or the environment",
                        call -> CLOCK_AND_RANDOM_METHODS.contains(
                                call.getTargetOwner().getName() + "." + call.getName())))
                .because("the same view and command must give the same decision, live and on every replay");
    }

    ArchRule brokerInternalsStayInOnePackage() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(below("service.broker"))
                .should()
                .dependOnClassesThat(resideInAnyPackage("kafka..", "org.apache.kafka..")
                        .and(DescribedPredicate.not(resideInAnyPackage(
                                "org.apache.kafka.clients..",
                                "org.apache.kafka.common..",
                                "org.apache.kafka.streams.."))))
                .because("classes of the broker may change with every release of Kafka");
    }

    ArchRule internalsOfTheClientsAreNotUsed() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(below("service.broker"))
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.kafka..internals..")
                        // RecordHeaders is there, and the only way to make headers.
                        .and(DescribedPredicate.not(resideInAnyPackage("org.apache.kafka.common.header.internals"))))
                .because("they may change with every release of Kafka");
    }

    ArchRule noSourceTopicIsAChangelog() {
        Set<String> forbidden = Set.of("addReadOnlyStateStore", "addGlobalStore", "globalTable");
        return noClasses()
                .should()
                .callMethodWhere(describe(
                        "it is one of " + forbidden,
                        (JavaMethodCall call) -> forbidden.contains(call.getName())
                                && call.getTargetOwner().getPackageName().startsWith("org.apache.kafka.streams")))
                .because("a source topic as changelog buffers without limit on standbys (K-24)");
    }

    ArchRule commandLineLibraryOnlyInCommands() {
        return onlyIn("picocli..", "commands", "service.cli", "service.bench");
    }

    ArchRule webLibraryOnlyInHttp() {
        return onlyIn("io.javalin..", "requests", "service.http");
    }

    ArchRule jsonLibraryOnlyInService() {
        return onlyIn(
                "com.fasterxml.jackson..",
                "what the service shows, and for the JSON that regions keep verbatim",
                "service",
                "schemas.region");
    }

    ArchRule meterLibraryOnlyInMetrics() {
        return onlyIn("io.micrometer..", "meters", "service.metrics");
    }

    private ArchRule onlyIn(String library, String subject, String... modules) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(Stream.of(modules).map(this::below).toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library)
                .because(library + " is for " + subject + " only");
    }

    ArchRule onlyOneLoggingApi() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..", "org.apache.log4j..", "org.apache.logging..")
                .because("SLF4J is the one logging interface");
    }

    ArchRule noStaticMutableState() {
        return noFields()
                .that()
                .areDeclaredInClassesThat(DescribedPredicate.not(resideInAnyPackage(below("avro")))
                        .and(describe(
                                "are not in the list of exceptions",
                                type -> !STATIC_STATE_ALLOWED.contains(type.getSimpleName()))))
                .should(new ArchCondition<>("be static and not final") {
                    @Override
                    public void check(JavaField field, ConditionEvents events) {
                        boolean mutable = field.getModifiers().contains(JavaModifier.STATIC)
                                && !field.getModifiers().contains(JavaModifier.FINAL);
                        events.add(new SimpleConditionEvent(
                                field, mutable, field.getFullName() + " is static and not final"));
                    }
                })
                .because("two instances in one process must not meet");
    }

    ArchRule rowsAreWrittenByTheStateOnly() {
        return noClasses()
                .that(DescribedPredicate.not(
                                resideInAnyPackage(below("state.flow"), below("state.flownode"), below("state.region")))
                        .and(DescribedPredicate.not(assignableTo(RowBuffer.class)))
                        .and(DescribedPredicate.not(isOneOf(COMMON_ROWS))))
                .should()
                .callMethodWhere(describe(
                        "it writes a row",
                        (JavaMethodCall call) -> Set.of("put", "delete").contains(call.getName())
                                && call.getTargetOwner().isAssignableTo(RowWriter.class)))
                .because("all rows come from apply(fact), or are an outcome or the cursor");
    }

    ArchRule rebuildingExecutesNoCommands() {
        return noClasses()
                .that()
                .resideInAnyPackage(below("service.cut"), below("service.verify"), below("service.rebuild"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(below("topology.flow"), below("topology.flownode"), below("topology.region"))
                .orShould()
                .callMethodWhere(describe(
                        "it asks where commands are",
                        (JavaMethodCall call) -> call.getName().equals("commandsTopic")))
                .because("a rebuild follows from the records: commands that are settled are gone (K-2, K-35)");
    }

    /** Deciding and applying: everything about flows, flownodes and regions but the adapters to Kafka Streams. */
    private DescribedPredicate<JavaClass> arePure() {
        return resideInAnyPackage(
                        below("topology.flow"),
                        below("topology.flownode"),
                        below("topology.region"),
                        below("state.flow"),
                        below("state.flownode"),
                        below("state.region"))
                .and(DescribedPredicate.not(isOneOf(ADAPTERS)))
                .or(resideInAnyPackage(below("topology.common")).and(isOneOf(DECIDING)))
                .as("are pure");
    }

    /** By the name of the class that it is in, or is itself. */
    private static DescribedPredicate<JavaClass> isOneOf(Set<String> names) {
        return describe("are one of " + names, type -> {
            JavaClass outermost = type;
            while (outermost.getEnclosingClass().isPresent()) {
                outermost = outermost.getEnclosingClass().get();
            }
            return names.contains(outermost.getSimpleName());
        });
    }

    private String below(String name) {
        return root + "." + name + "..";
    }
}
