/**
 * What the module rules forbid, in the same package layout as the program: each rule must fail here, or it would not notice
 * anything. Nothing of this runs.
 */
package io.sluice.tests.architecture.broken;
