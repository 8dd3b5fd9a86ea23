/** Requirements that are about several ways in, or about peers of several makes, are shown on each of them. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readScenarios } from '../support/readScenarios.ts';

const FILES = readScenarios(join(import.meta.dirname, '../..'), 'test/scenarios/**/*.test.ts');

/** By requirement: the files, without folder and ending, that each have a scenario of it. */
const FACES: Readonly<Record<string, readonly string[]>> = {
  M1: ['config', 'upgrade'],
  M2: ['config'],
  M3: ['upgrade'],
  M4: ['restMember', 'restMemberPython'],
  M5: ['restMember'],
  M6: ['restMember'],
  M7: ['restMember'],
  M8: ['restMember', 'restMemberPython'],
  M10: ['contractParity', 'client'],
  M11: ['config'],
  M12: ['instances'],
  M13: ['restMember', 'restMemberWhole', 'restMemberPython'],
  M14: ['restMemberStream', 'restMemberPythonManager'],
  M15: ['restMember', 'restMemberPythonManager'],
  T3: ['contractParity', 'client'],
  T4: ['restMemberPython', 'restMemberPythonManager'],
  'R2.1': ['restContract', 'mcp'],
  'R2.7': ['restRestart', 'restMemberPythonLife'],
  'R2.8': ['stream', 'client', 'restMemberStream', 'restMemberPython', 'restMemberPythonLife'],
  'R3.2': ['mcp', 'client'],
  'R4.5': ['mcp'],
  'R7.1': ['documentation'],
  'R7.2': ['documentation'],
  'R7.3': ['documentation'],
};

test.each(Object.entries(FACES))('%s has a scenario on each of its faces', (id, faces) => {
  const shown = FILES.filter(({ scenarios }) =>
    scenarios.some(({ requirements }) => requirements.includes(`spec/manager.md#${id}`)),
  ).map(({ path }) => path.slice('test/scenarios/'.length, -'.test.ts'.length));
  expect(shown).toEqual(expect.arrayContaining([...faces]));
});
