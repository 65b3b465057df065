"""Plain orders in the commonest languages that have no table of weights."""

from __future__ import annotations

from memory.policy.rule import Rule

ABROAD = Rule(
    "ignor|olvida|oublie|vergiss|missacht|dimentica|desconsider|esquec|忽略|无视|無視|忘记|你现在|从现在|"
    "扮演|eres ahora|a partir de ahora|tu es maintenant|du bist jetzt|agis comme|actua como|무시|sei ora|"
    "игнор|系统提示|ab sofort",
    r"(?:ignor(?:a|e|ez|iere?n?|es|ar|ate|ando)|olvid[ae]\w*|oublie[sz]?|vergiss|missachte|dimentica\w*|"
    r"desconsider[ae]\w*|esqueca\w*) (?:\w+[' ]){0,5}(?:instruc\w+|consigne\w*|anweisung\w*|regeln|reglas|"
    r"regles|istruzion\w*|regole|directives|befehle|instrucoes|indicaciones|prompt\w*)|(?:忽略|无视|忘记|"
    r"不要遵守|無視|忽視).{0,10}(?:指令|指示|提示|规则|命令|規則)|你现在是|从现在开始,?你|请?扮演|系统提示|"
    r"(?:ahora eres|eres ahora|a partir de ahora eres|a partir de ahora,? (?:tu |debes)|tu es maintenant|"
    r"du bist (?:jetzt|ab sofort|nun)|ab sofort bist du|sei ora|agis comme (?:un|une|si)|actua como (?:un|"
    r"una|si)|tu agis desormais)|이전.{0,6}(?:지시|명령).{0,6}무시",
)
