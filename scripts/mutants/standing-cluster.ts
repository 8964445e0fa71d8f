import type { TestProject } from 'vitest/node'

/** Vitest's global set-up: the cluster stands already, with its migrated template. */
export default function setup(project: TestProject): void {
  project.provide('testCluster', process.env['MUTANT_CLUSTER'] ?? '')
}
