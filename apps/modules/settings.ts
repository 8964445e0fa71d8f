import { audit } from '@trainyard/audit-chain/server/environment.ts'
import { aws } from '@trainyard/sandbox-aws/server/environment.ts'
import { azure } from '@trainyard/azure/server/environment.ts'
import { guides } from '@trainyard/guides/server/environment.ts'
import { lms } from '@trainyard/lti/server/environment.ts'
import { lxd } from '@trainyard/lxd/server/environment.ts'
import { machines } from '@trainyard/machines/server/environment.ts'
import { signIn } from '@trainyard/sso/server/environment.ts'
import { payments } from '@trainyard/payments/server/environment.ts'
import { type Settings, connectSettings } from '@trainyard/platform/server/config/config.ts'
import { webhooks } from '@trainyard/webhooks/server/environment.ts'

/** Settings of the modules. They are apart from the modules, which load slower: `npm start` reads its settings first. */
export const SETTINGS: readonly Settings[] = [azure, lxd, machines, payments, aws, signIn, lms, webhooks, guides, audit]

/** Connects the settings of this process, before `readConfig`. */
export const connectAllSettings = (): void => connectSettings(SETTINGS)
