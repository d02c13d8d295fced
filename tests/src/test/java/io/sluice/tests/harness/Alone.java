package io.sluice.tests.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks integration tests that no other may run beside: they start several instances as processes of their own, or what they
 * look for is over within seconds. All others run two at a time.
 */
@Tag("alone")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Alone {}
