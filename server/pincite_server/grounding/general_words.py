"""Words so general that a writer may bring them in without claiming anything: "provides", "the option", "whereas"."""

from pincite_core.search.terms import terms

__all__ = ("GENERAL_STEMS",)

_VERBS = (
    "accept accompany achieve add adopt advise affect aim allow alter appear apply arise arrange ask assume "
    "attach attempt avoid await bear become begin belong break bring build call care carry cause change choose "
    "cite claim clarify collect combine come compare complete comprise conclude confirm confuse connect consider "
    "contain continue control convert correspond count cover create cut deal decide declare define deliver denote "
    "depend describe deserve designate determine differ disappear discover discuss distinguish divide do document "
    "doubt draw drop earn employ end enjoy ensure enter establish evaluate exceed exchange exclude exist expect "
    "explain express extend face fail fall fear fill find finish fit follow force forget form formulate fulfil "
    "gain gather get give go grant guess hand handle happen help hide hinder hold identify illustrate imagine "
    "imply include increase indicate inform instruct intend interpret introduce involve judge justify keep know "
    "lack last lay lead learn leave let limit link list look love maintain make manage map mark match matter mean "
    "measure meet mention merge mind miss modify move name need note notice obey observe obtain occur offer omit "
    "operate oppose order outline own pass perceive perform permit persist pick place plan play point possess "
    "practise prefer prepare present process produce promise prompt protect prove provide pull push put qualify "
    "quote raise reach read realise reason recall receive recognise recommend reduce refer reflect regard rely "
    "remain remember remind rename repeat replace reply report represent require resemble reserve resort respect "
    "respond rest result retain return reveal rise run satisfy save say search see seek seem select separate "
    "serve set settle shape share show sit solve sound speak specify spend split spread stand start state stay "
    "stem stick stress strike study submit succeed suffer suffice suggest suit summarise supply support suppose "
    "surprise surround switch take talk taste tell tend thank think tie touch treat trust try turn undergo "
    "understand undo use vary visit wait want warn watch weigh win wish wonder work worry write"
)
_IRREGULAR = (
    "became become began begun being bring broken brought built came chosen done found gave given gone got held "
    "kept knew known led left lets made meant met put ran read said seen sent shown stood taken thought told took "
    "went written"
)
_NOUNS = (
    "advantage advice amount answer approach area argument arrangement aspect attribute author basis behavior "
    "behaviour benefit bit bug case chance choice circumstance code collection command con concept condition "
    "consequence consideration content context cost couple course data day degree detail difference directory "
    "disadvantage doc document documentation drawback edge effect effort end entry error event evidence example "
    "exception excerpt expectation explanation extent extra fact factor fashion feature field file flag folder "
    "form function goal group guide habit half hand hint idea identifier impact improvement influence information "
    "instance interest issue item job key kind knowledge lack level library limit line list majority manner "
    "matter meaning means measure message method mode motive name need note number object occasion opportunity "
    "option order outcome output package page pair parameter part path people person phase phrase piece place "
    "point position possibility preference priority pro problem process program project property purpose quality "
    "question range reader reality reason recommendation record reference requirement respect result risk role "
    "rule sake script section sense sentence sequence series service set setting share side sign site situation "
    "size solution sort source spot stage standard statement step string structure stuff style subject success "
    "suggestion sum system talk task team technique term text thing time title tool topic trick trouble truth "
    "type usage user value variable variety version view warning way website whole word work world writer"
)
_OTHERS = (
    "able accordingly across actual additional afterwards again against ago ahead alike all almost alone along "
    "already also alternative alternatively although altogether always among anew another any anybody anything "
    "anytime anyway anywhere apart appropriate around as aside available away back backward basic because before "
    "beforehand behind below beneath beside besides best better between beyond big both but certain clear clearly "
    "close common complete completely concern consequently considerably convenient corresponding current "
    "currently desirable desired different direct directly down due during each earlier easier easily easy "
    "effective eg either else elsewhere enough entire entirely equal equally especially etc eventually ever every "
    "everything everywhere exact exactly example except existing explicit explicitly extra fairly far few fewer "
    "finally fine first following former forward frequent frequently front full fully further furthermore general "
    "generally good great half handy happily hard hardly hence here highly hopefully however ie if immediate "
    "immediately important indeed individual initial initially inside instantly instead internal internally into "
    "itself just large largely late lately later latest latter least less likely likewise literally little long "
    "lot lots low lower main mainly major manual manually many maybe mean meanwhile mere merely mild mind minor "
    "modest more moreover most mostly much must namely natural near nearly necessary neither never nevertheless "
    "new newer newest next nobody none nonetheless nor normal normally notable nothing now nowadays nowhere "
    "obvious occasionally off often old older oldest once one ones only onto opposite otherwise out outside over "
    "overall own particular particularly partly past per perfectly perhaps permanently plain plenty possible "
    "practice presently pretty previous previously primarily principal probably promptly proper properly purely "
    "purpose quickly quite rarely rather readily real really reasonably recently regardless regular related "
    "relevant repeatedly respective respectively right roughly same scarcely seemingly seldom separate separately "
    "several short similar similarly simple simply since single slightly slow slowly small so somebody somehow "
    "something sometime sometimes somewhat soon special specific still straight strictly strongly such suddenly "
    "sufficiently suitable sure surely temporarily then there thereby therefore thoroughly though through "
    "throughout thus today together tomorrow too toward towards truly twice typical typically ultimately under "
    "unfortunately unless unlike unlikely until up upon useful usual usually various very via virtually well "
    "whatever whenever whereas wherever whether whichever whoever whole whose widely within without worse worst "
    "worth worthwhile wrong wrongly yes yesterday yet yourself"
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
