import { modules } from '@trainyard/modules/web.ts'
import { connectModules } from '@trainyard/platform/web/shell/modules.ts'

connectModules(modules)
