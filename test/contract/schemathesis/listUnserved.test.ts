import { expect, test } from 'vitest';
import { listUnserved } from './listUnserved.ts';

const DOCUMENT = {
  paths: {
    '/config': {
      get: { operationId: 'getConfig', tags: ['instance'] },
      post: { operationId: 'updateConfig', tags: ['instance'] },
    },
    '/ticket': { get: { operationId: 'getTicket', tags: ['tracker'] } },
    '/register': { post: { operationId: 'registerInstance', tags: ['instance'] } },
  },
};

const REPORT = {
  valid_rates: {
    'GET /config': { coverage: { accepted: 0 }, fuzzing: { accepted: 2 } },
    'POST /config': { coverage: { accepted: 0 }, fuzzing: { accepted: 0 } },
    'POST /register': { coverage: { accepted: 0 } },
  },
};

test('listUnserved() names what refused every request, and what was not asked at all', () => {
  expect(listUnserved(REPORT, DOCUMENT, 'manager')).toEqual(['updateConfig', 'registerInstance']);
  expect(listUnserved({ valid_rates: {} }, DOCUMENT, 'manager')).toEqual([
    'getConfig',
    'updateConfig',
    'registerInstance',
  ]);
});

test('listUnserved() expects no tracker of anybody and no registry of a worker', () => {
  expect(listUnserved(REPORT, DOCUMENT, 'worker')).toEqual(['updateConfig']);
});
