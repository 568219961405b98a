// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted are pieces of code
/** Faults of the importer. Name, file, what stands there, what the fault makes of it, who must notice. */
export const importing = [
  [
    'anybody imports',
    'app/features/importing/import-commands.server.ts',
    'if (!may.runAdminTools(ctx.actor))',
    'if (false as boolean)',
    'app/features/importing/importing.db.test.ts',
  ],
  [
    'javascript: websites pass',
    'app/features/importing/imported-company.ts',
    '/^(?!https?:)[a-z][a-z0-9+.-]*:(?!\\d)/i',
    '/^never:/i',
    'app/features/importing/imported-company.test.ts',
  ],
  [
    'control characters pass',
    'app/features/importing/imported-company.ts',
    'if (CONTROLS.test(value))',
    'if (false as boolean)',
    'app/features/importing/imported-company.test.ts',
  ],
  [
    'large imports flood the queue',
    'app/features/importing/import-commands.server.ts',
    'total <= LOGO_ROWS_MAX',
    'true',
    'app/features/importing/importing.db.test.ts',
  ],
  [
    'imported doubles are added',
    'app/features/importing/import-commands.server.ts',
    'if (same) return {',
    'if ((false as boolean) && same) return {',
    'app/features/importing/importing.db.test.ts',
  ],
  [
    'a logo that is there is overwritten',
    'app/features/importing/imported-logo-job.server.ts',
    'if (!company || company.logoUrl) return',
    'if (!company) return',
    'app/features/importing/importing.db.test.ts',
  ],
  [
    'the import function reads strangers’ bodies',
    'app/features/importing/import-api.server.ts',
    'onRequest: async (request) => demandImporter(await contextFor(contextOf, request)),',
    '',
    'app/features/importing/importing.db.test.ts',
  ],
  [
    'Latin-1 slips through',
    'app/features/importing/file-text.server.ts',
    'if (isUtf8(whole)) {',
    'if (whole.length >= 0) {',
    'app/features/importing/reading.test.ts',
  ],
  [
    'the search index stays gathering',
    'app/features/importing/import-commands.server.ts',
    'if (isLarge) await writes.settleSearchEntries(ctx.db)',
    '',
    'app/features/importing/importing.db.test.ts',
  ],
]
