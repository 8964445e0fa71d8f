import { audit } from '../../server/src/config/audit.ts'
import { aws } from '../../server/src/config/aws.ts'
import { azure } from '../../server/src/config/azure.ts'
import { lms } from '../../server/src/config/lms.ts'
import { machines } from '../../server/src/config/machines.ts'
import { signIn } from '../../server/src/config/open-id.ts'
import { payments } from '../../server/src/config/payments.ts'
import { type Settings, connectSettings } from '../../server/src/config.ts'
import { webhooks } from '../../server/src/config/webhooks.ts'

/** Settings of the modules. They are apart from the modules, which load slower: `npm start` reads its settings first. */
const SETTINGS: readonly Settings[] = [azure, machines, payments, aws, signIn, lms, webhooks, audit]

/** Connects the settings of this process, before `readConfig`. */
export const connectAllSettings = (): void => connectSettings(SETTINGS)
