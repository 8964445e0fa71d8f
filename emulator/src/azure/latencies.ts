/** Seconds that long operations take at a latency factor of 1: about what the real ones do. */
export const latencies = {
  machineCreate: 45,
  machineStart: 20,
  machineStop: 15,
  machineDeallocate: 30,
  machineRestart: 15,
  machineDelete: 30,
  machineUpdate: 5,
  network: 2,
  disk: 3,
  extension: 10,
  gallery: 3,
  imageVersion: 90,
  groupDelete: 45,
  registration: 60,
} as const
