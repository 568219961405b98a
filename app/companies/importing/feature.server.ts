import type { Feature } from '#app/api/feature.server.ts'
import { addCompany } from './add-company.server.ts'
import { registerImports } from './import-api.server.ts'
import { batchesAtOnceOf, IMPORTED_LOGO_TASK } from './import-commands.server.ts'
import { pastImports, undoImport } from './imported-companies.server.ts'
import { addedCompanyContract, importsContract } from './imports.contract.ts'

export const importing: Feature = {
  async routes({ http, bind, contextOf, config, forgetPages }) {
    bind(addedCompanyContract, {
      'POST /api/v1/company-additions': (ctx, { body }) => addCompany(ctx, body),
    })
    bind(importsContract, {
      'GET /api/v1/past-imports': async (ctx) => ({ imports: await pastImports(ctx) }),
      'POST /api/v1/past-imports/{id}/undo': (ctx, { params }) => undoImport(ctx, params.id),
    })
    const batchesAtOnce = batchesAtOnceOf(config.databaseConnections)
    await registerImports(http, contextOf, { batchesAtOnce, onImported: () => forgetPages('/') })
  },
  tasks({ queue, base, config }) {
    // Imported lazily, because few processes ever need the decoder.
    queue.handle(IMPORTED_LOGO_TASK, async (payload) => {
      if (!config.hasLogoSearch) return
      const { fetchImportedLogo } = await import('./imported-logo-task.server.ts')
      await fetchImportedLogo(base, payload)
    })
  },
}
