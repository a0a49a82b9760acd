"""Words so general that a writer may bring them in without claiming anything: "provides", "the option", "whereas"."""

from pincite_core.search.terms import terms

__all__ = ("GENERAL_STEMS",)

_VERBS = (
    "accept accompany add advise affect allow appear apply ask assume attach avoid bear become begin belong break "
    "bring build call carry cause change choose cite combine come consider contain continue control convert "
    "correspond count cover create decide declare define denote depend describe designate determine differ "
    "discover do document end ensure enter establish exchange exclude exist expect explain express extend face "
    "fail fall fill find finish fit follow force fulfil gain gather get give go grant handle happen help hold "
    "identify imagine imply include indicate inform intend introduce involve judge keep know lack last lead learn "
    "leave let limit link list look love make manage map matter mean meet mention miss move name need note obey "
    "obtain occur offer omit operate order own pass perform permit pick place plan point possess practise prefer "
    "prepare present process produce promise prove provide put quote raise reach read realise receive recognise "
    "recommend reduce refer regard rely remain remember remind repeat replace report represent require reserve "
    "respond result retain return reveal run satisfy save say search see seem select separate serve set share "
    "show solve speak specify split spread stand start state stay stick strike study succeed suffer suggest suit "
    "summarise supply support surround switch take talk tell tend think touch treat trust try turn undergo "
    "understand use vary visit wait want watch wish wonder work worry write"
)
_IRREGULAR = (
    "became become began begun being bring broken brought built came chosen done found gave given gone got held "
    "kept knew known led left lets made meant met put ran read said seen sent shown stood taken thought told took "
    "went written"
)
_NOUNS = (
    "answer approach argument aspect attribute basis behavior behaviour bit bug case choice code collection "
    "command concept condition content context data detail difference directory document effect effort entry "
    "error example exception excerpt explanation extent fact factor feature field file flag folder form function "
    "goal group guide hand idea identifier information instance item key kind level library limit line list "
    "manner matter means message method mode name note number object option order output package page parameter "
    "part path people person phrase piece place point position possibility problem process program project "
    "property purpose question range reader reason record reference requirement result role rule script section "
    "sentence series service set setting side site situation solution sort source statement step string structure "
    "stuff style subject system task team technique term text thing time title tool topic type usage user value "
    "variable version view way website whole word work writer"
)
_OTHERS = (
    "able accordingly actual additional afterwards alike almost alone along already alternative alternatively "
    "altogether anew anybody anything anyway anywhere apart appropriate available away back backward basic "
    "beforehand besides best better big certain clear clearly close common complete completely concern convenient "
    "corresponding current currently desired different direct directly due earlier easier easily easy effective "
    "eg else elsewhere enough entire entirely equal equally especially etc everything everywhere exact exactly "
    "example existing explicit explicitly extra far few fewer fine first following former forward front full "
    "fully further general generally good great half hard hardly hence here ie important individual initial "
    "initially instead itself just large later latter least less likely likewise little long lot lots low lower "
    "main mainly major manual manually many maybe mean meanwhile mere merely minor more moreover most mostly much "
    "must namely natural near nearly necessary neither new newer newest next nobody none nor normal normally "
    "notable now nowhere obvious old older oldest one ones only opposite otherwise own particular perhaps plain "
    "plenty possible practice previous primarily principal probably proper properly purpose quite rather real "
    "regular related relevant respective respectively same separate separately several short similar similarly "
    "simple simply single slightly small so somebody somehow something sometimes somewhat soon special specific "
    "still straight such suitable sure there today together tomorrow too typical typically unlikely useful usual "
    "usually various very well whatever whereas wherever whether whichever whole whose yesterday yet yourself"
)
_INFLECTIONS = ("", "s", "es", "d", "ed", "ing")

GENERAL_STEMS = frozenset(
    term
    for words, endings in ((_VERBS, _INFLECTIONS), (_IRREGULAR, ("",)), (_NOUNS, ("", "s")), (_OTHERS, ("",)))
    for word in words.split()
    for ending in endings
    for term in terms(word + ending)
)
"""Their stems. What such a word says wrongly shows in the words beside it."""
