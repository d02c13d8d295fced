package io.sluice.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.sluice.tests.architecture.broken.client.KnowsTopology;
import io.sluice.tests.architecture.broken.schemas.KnowsService;
import io.sluice.tests.architecture.broken.service.query.KnowsEverything;
import io.sluice.tests.architecture.broken.state.flow.KnowsDecider;
import io.sluice.tests.architecture.broken.topology.common.KnowsJson;
import io.sluice.tests.architecture.broken.topology.flow.ImpureDecider;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may know what (design, section 3). Each rule is also tried on classes that break it. */
class ModuleRulesTest {
    private static final ModuleRules RULES = new ModuleRules("io.sluice");
    private static final JavaClasses PROGRAM = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(RULES.packages());

    private static final ModuleRules ON_BROKEN = new ModuleRules("io.sluice.tests.architecture.broken");
    private static final JavaClasses BROKEN = new ClassFileImporter().importPackages(ON_BROKEN.packages());

    @Test
    void everyModuleIsLookedAt() {
        for (String module : RULES.packages()) {
            assertThat(PROGRAM.stream().filter(type -> type.getPackageName().startsWith(module)))
                    .as("classes in " + module)
                    .isNotEmpty();
        }
        assertThat(PROGRAM.stream().filter(type -> type.getName().startsWith("io.sluice.tests")))
                .isEmpty();
    }

    @Test
    void dependenciesBetweenModulesPointOneWay() {
        List<Class<?>> culprits =
                List.of(KnowsService.class, KnowsDecider.class, ImpureDecider.class, KnowsTopology.class);
        for (int i = 0; i < culprits.size(); i++) {
            RULES.modulesPointOneWay().get(i).check(PROGRAM);
            assertFails(ON_BROKEN.modulesPointOneWay().get(i), culprits.get(i).getSimpleName());
        }
        assertThat(RULES.modulesPointOneWay()).hasSameSizeAs(culprits);
    }

    @Test
    void decidersAndFlowStateKnowNoKafka() {
        RULES.pureCodeKnowsNoKafka().check(PROGRAM);
        assertFails(ON_BROKEN.pureCodeKnowsNoKafka(), "ImpureDecider", "KnowsDecider");
    }

    @Test
    void decidersAndFlowStateAskNoClockNoChanceAndNoDisk() {
        RULES.pureCodeAsksNothingButItsArguments().check(PROGRAM);
        assertFails(
                ON_BROKEN.pureCodeAsksNothingButItsArguments(),
                "System.currentTimeMillis",
                "UUID.randomUUID",
                "java.time.Instant",
                "java.util.Random",
                "java.nio.file.Files",
                "org.slf4j.Logger");
    }

    @Test
    void brokerInternalsStayInTheBrokerPackage() {
        RULES.brokerInternalsStayInOnePackage().check(PROGRAM);
        assertFails(ON_BROKEN.brokerInternalsStayInOnePackage(), "ShutdownableThread");
    }

    @Test
    void internalsOfTheKafkaClientsAreNotUsed() {
        RULES.internalsOfTheClientsAreNotUsed().check(PROGRAM);
        assertFails(ON_BROKEN.internalsOfTheClientsAreNotUsed(), "StreamThread");
    }

    @Test
    void noSourceTopicIsUsedAsAChangelog() {
        RULES.noSourceTopicIsAChangelog().check(PROGRAM);
        assertFails(ON_BROKEN.noSourceTopicIsAChangelog(), "globalTable");
    }

    @Test
    void theCommandLineLibraryIsForCommandsOnly() {
        RULES.commandLineLibraryOnlyInCommands().check(PROGRAM);
        assertFails(ON_BROKEN.commandLineLibraryOnlyInCommands(), "picocli.CommandLine");
    }

    @Test
    void theWebLibraryIsForHttpOnly() {
        RULES.webLibraryOnlyInHttp().check(PROGRAM);
        assertFails(ON_BROKEN.webLibraryOnlyInHttp(), "io.javalin.Javalin");
    }

    @Test
    void theMeterLibraryIsForMetricsOnly() {
        RULES.meterLibraryOnlyInMetrics().check(PROGRAM);
        assertFails(ON_BROKEN.meterLibraryOnlyInMetrics(), "io.micrometer.core.instrument.Counter");
    }

    @Test
    void theJsonLibraryIsForTheServiceOnly() {
        RULES.jsonLibraryOnlyInService().check(PROGRAM);
        assertFails(ON_BROKEN.jsonLibraryOnlyInService(), KnowsJson.class.getSimpleName());
    }

    @Test
    void thereIsOneLoggingInterface() {
        RULES.onlyOneLoggingApi().check(PROGRAM);
        assertFails(ON_BROKEN.onlyOneLoggingApi(), "java.util.logging.Logger");
    }

    @Test
    void thereIsNoStaticMutableState() {
        RULES.noStaticMutableState().check(PROGRAM);
        assertFails(ON_BROKEN.noStaticMutableState(), KnowsEverything.class.getSimpleName() + ".counter");
    }

    @Test
    void rowsAreWrittenByTheStateOnly() {
        RULES.rowsAreWrittenByTheStateOnly().check(PROGRAM);
        assertFails(ON_BROKEN.rowsAreWrittenByTheStateOnly(), "RowStore.put");
    }

    @Test
    void rebuildingExecutesNoCommands() {
        RULES.rebuildingExecutesNoCommands().check(PROGRAM);
        assertFails(ON_BROKEN.rebuildingExecutesNoCommands(), "ReplaysCommands", "commandsTopic");
    }

    private static void assertFails(ArchRule rule, String... culprits) {
        assertThatThrownBy(() -> rule.check(BROKEN))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(culprits);
    }
}
