import type { LiveValidator } from 'oav/dist/lib/liveValidation/liveValidator.js'

/** Internal parts of oav with its files and its compiler. */
interface Inside {
  readonly loader: {
    readonly jsonLoader: { readonly loadedFiles: readonly { $id: string; definitions?: Record<string, object> }[] }
    readonly schemaValidator: { readonly ajv: { addSchema(schema: object, key: string, skipValidation: true): void } }
  }
}

/**
 * Registers every definition with the compiler under its reference, so that it is compiled once. Otherwise each
 * operation recompiles all definitions that its messages refer to, which takes a second per operation for the network.
 */
export function nameDefinitions(validator: LiveValidator): void {
  const { jsonLoader, schemaValidator } = (validator as unknown as Inside).loader
  for (const { $id, definitions = {} } of jsonLoader.loadedFiles) {
    for (const [name, schema] of Object.entries(definitions)) {
      schemaValidator.ajv.addSchema(schema, `${$id}#/definitions/${name}`, true)
    }
  }
}
