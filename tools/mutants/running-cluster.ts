import type { TestProject } from 'vitest/node'

/** Vitest global setup. Provides the running cluster, which already contains the migrated template database. */
export default function setup(project: TestProject): void {
  project.provide('testCluster', process.env['MUTANT_CLUSTER'] ?? '')
}
