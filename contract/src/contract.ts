import { capture } from './calls/capture.ts'
import { health } from './calls/health.ts'
import { account, ledger, payment } from './calls/ledger.ts'
import { home } from './calls/home.ts'
import { machine } from './calls/machine.ts'
import { metering } from './calls/metering.ts'
import { port } from './calls/port.ts'
import { logs, quota } from './calls/quota.ts'
import { accessWindow, schedule } from './calls/schedule.ts'
import { awsSandbox, awsUser, azureSandbox, sandboxUser } from './calls/sandbox.ts'
import { remote } from './calls/remote.ts'
import { search } from './calls/search.ts'
import { session } from './calls/session.ts'
import { organisation, template, user } from './calls/superadmin.ts'
import { training } from './calls/training.ts'
import { usage } from './calls/usage.ts'

/** Every call of the API, by module. Server, web and the access test all read this one table. */
export const contract = {
  session,
  organisation,
  user,
  template,
  training,
  machine,
  quota,
  logs,
  schedule,
  accessWindow,
  port,
  remote,
  search,
  azureSandbox,
  sandboxUser,
  awsSandbox,
  awsUser,
  home,
  ledger,
  account,
  payment,
  usage,
  metering,
  capture,
  health,
}
export type Contract = typeof contract
