// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted are pieces of code
/** Faults of the windows in which jobs are looked up. Name, file, what stands there, what the fault makes of it, who must notice. */
export const jobSearch = [
  [
    'a window of days skips a slot',
    'app/features/jobs/job-lookup.server.ts',
    '    last = first - 1',
    '    last = first - 2',
    'app/features/jobs/job-lists.db.test.ts',
  ],
  [
    'a band loses its lowest slots',
    'app/features/jobs/job-lookup.server.ts',
    'salarySlots(slotOf(band) - 1, last)',
    'salarySlots(slotOf(band) + 8, last)',
    'app/features/jobs/job-lists.db.test.ts',
  ],
  [
    'a window of a band is never widened',
    'app/features/jobs/job-lookup.server.ts',
    'if (rows.length >= lacking) return rows',
    'return rows',
    'app/features/jobs/job-lists.db.test.ts',
  ],
]
