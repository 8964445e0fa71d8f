import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

const DESCRIPTION = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url))
export const TYPES = fileURLToPath(new URL('../src/api/description.d.ts', import.meta.url))

/** Returns the TypeScript types of the public API. */
export async function generateTypes(): Promise<string> {
  const description = JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as OpenAPI3
  return `// Generated from docs/openapi.json by \`npm run generate -w cli\`.\n${astToString(await openapiTS(description))}`
}

if (import.meta.main) writeFileSync(TYPES, await generateTypes())
