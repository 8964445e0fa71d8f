import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

const DESCRIPTION = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url))
const TYPES = fileURLToPath(new URL('api/description.d.ts', import.meta.url))

/** Writes the TypeScript types of the public API for the type checker, unless they are up to date. */
const description = JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as OpenAPI3
const types = `// Generated from docs/openapi.json by \`npm run build\`.\n${astToString(await openapiTS(description))}`
if (!existsSync(TYPES) || readFileSync(TYPES, 'utf8') !== types) writeFileSync(TYPES, types)
